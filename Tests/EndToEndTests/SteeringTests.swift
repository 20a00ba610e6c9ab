import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Harness
import Testing

/// One hub, steered from the command line.
extension EndToEnd {
    @Suite struct SteeringTests {
        private func withMusic(_ body: (HubProcess, [String]) async throws -> Void) async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                try await HubProcess.with(in: home) { hub in try await body(hub, album) }
            }
        }

        @Test func `a file plays, pauses, resumes and stops`() async throws {
            try await withMusic { hub, album in
                #expect(try await hub.tell("status").out.contains("The queue is empty"))

                try await hub.tell("play", album[0])
                let playing = try await hub.reaches("playing, with its tags") { $0.state == "playing" && $0.title == "First Light" }
                #expect(playing.rate == 1000 && playing.json["now"]?["artists"]?.array == ["The Tones"])
                #expect(playing.json["now"]?["durMs"]?.int == 60_000 && playing.json["now"]?["album"]?.string == "Sines")
                #expect(playing.json["now"]?["fmt"]?["codec"]?.string == "flac")
                try await hub.reaches("a position that moves") { $0.positionMs > playing.positionMs + 100 }

                #expect(try await hub.tell("pause").out.hasPrefix("paused\t"))
                let paused = try await hub.status()
                #expect(paused.state == "paused" && paused.rate == 0)
                #expect(try await hub.status().positionMs == paused.positionMs)

                #expect(try await hub.tell("toggle").out.hasPrefix("playing\t"))
                #expect(try await hub.tell("toggle").out.hasPrefix("paused\t"))
                #expect(try await hub.tell("play").out.hasPrefix("playing\t"))
                try await hub.tell("stop")
                let stopped = try await hub.status()
                #expect(stopped.state == "stopped" && stopped.positionMs == 0 && stopped.length == 1)
            }
        }

        @Test func `a position is sought as people write it`() async throws {
            try await withMusic { hub, album in
                try await hub.tell("play", album[0])
                try await hub.reaches("its length") { $0.state == "playing" && $0.json["now"]?["durMs"] != nil }
                try await hub.tell("pause")
                let places: [(words: String, ms: Milliseconds)] = [
                    ("0:30", 30_000), ("+5", 35_000), ("-10", 25_000), ("50%", 30_000), ("12.5", 12_500), ("+0:40", 52_500), ("-2:00", 0),
                ]
                for place in places {
                    #expect(try await hub.tell("seek", place.words).out.hasPrefix("paused\t"))
                    let positionMs = try await hub.status().positionMs
                    #expect(positionMs == place.ms, "seek \(place.words)")
                }
                try await hub.tell("seek", "0:45")
                try await hub.tell("play")
                try await hub.reaches("playing on from there") { $0.state == "playing" && (45_050...55_000).contains($0.positionMs) }

                for wrong in ["soon", "101%", "1:2:3:4", "+"] {
                    let ended = try await hub.baton("seek", wrong)
                    #expect(ended.code == 2 && ended.complaints.count == 1, "seek \(wrong): \(ended.code) \(ended.err)")
                }
            }
        }

        @Test func `the volume is shown, set, stepped, bounded and muted`() async throws {
            try await withMusic { hub, _ in
                #expect(try await hub.tell("volume").out == "volume 30 %\n")
                for (words, said) in [
                    ("35", "volume 35 %"), ("+5", "volume 40 %"), ("-15", "volume 25 %"), ("-90", "volume 0 %"), ("100", "volume 100 %"),
                    ("+5", "volume 100 %"), ("20", "volume 20 %"),
                ] {
                    #expect(try await hub.tell("volume", words).out == said + "\n", "volume \(words)")
                }
                #expect(try await hub.tell("mute").out == "muted (volume 20 %)\n")
                #expect(try await hub.status().isMuted)
                #expect(try await hub.tell("mute", "on").out == "muted (volume 20 %)\n")
                #expect(try await hub.tell("mute").out == "volume 20 %\n")
                #expect(try await hub.tell("mute", "off").out == "volume 20 %\n")
                for wrong in ["loud", "101", "+", "1.5"] {
                    let ended = try await hub.baton("volume", wrong)
                    #expect(ended.code == 2 && ended.complaints.count == 1, "volume \(wrong): \(ended.code) \(ended.err)")
                }
                #expect(try await hub.baton("mute", "maybe").code == 2)
            }
        }

        @Test func `next and previous walk the queue, and previous restarts after three seconds`() async throws {
            try await withMusic { hub, album in
                try await hub.tell("play", album[0], album[1], album[2])
                try await hub.reaches("the first") { $0.state == "playing" && $0.place == 0 }
                try await hub.tell("next")
                try await hub.reaches("the second") { $0.state == "playing" && $0.title == "Second Wind" && $0.place == 1 }
                try await hub.tell("prev")
                try await hub.reaches("the first again") { $0.state == "playing" && $0.title == "First Light" }
                try await hub.tell("next")
                try await hub.reaches("the second again") { $0.state == "playing" && $0.place == 1 }
                try await hub.tell("seek", "0:20")
                try await hub.tell("prev")
                let restarted = try await hub.status()
                #expect(restarted.place == 1 && restarted.positionMs < 15_000)
                try await hub.tell("next")
                try await hub.tell("next")
                try await hub.reaches("the end, and back at the head") { $0.state == "stopped" && $0.place == 0 }
            }
        }

        @Test func `a status has the form that was asked for`() async throws {
            try await withMusic { hub, album in
                try await hub.tell("play", album[0])
                try await hub.reaches("its tags") { $0.title == "First Light" }
                try await hub.tell("pause")
                try await hub.tell("seek", "0:07")

                let form = "{artist}/{title}/{album}/{position}/{duration}/{state}/{volume}/{hub}"
                #expect(try await hub.tell("status", "--format", form).out == "The Tones/First Light/Sines/0:07/1:00/paused/30/Test hub\n")
                let wrong = try await hub.baton("status", "--format", "{colour}")
                #expect(wrong.code == 2 && wrong.err.contains("{colour}") && wrong.err.contains("title"))
                let picture = try await hub.tell("status").lines
                #expect(picture[0].contains("Test hub") && picture[1] == "  First Light" && picture[2] == "  The Tones – Sines")
            }
        }

        @Test func `every answer can be had as JSON`() async throws {
            try await withMusic { hub, album in
                for words in [
                    ["play", album[0]], ["status"], ["pause"], ["toggle"], ["seek", "5"], ["volume"], ["volume", "20"], ["mute", "on"],
                    ["next"],
                    ["prev"], ["stop"], ["queue"], ["queue", "add", album[1]], ["queue", "remove", "1"], ["queue", "clear"], ["ping", "2"],
                ] {
                    let ended = try await hub.home.run("baton", words + ["--json"])
                    #expect(ended.code == 0 && ended.lines.count == 1, "\(words): \(ended.err)")
                    let json = try JSON.parse(Array(ended.out.utf8))
                    #expect(json.object != nil, "\(words): \(ended.out)")
                }
            }
        }

        @Test func `a ping measures, raw speaks the protocol, and web gives the page`() async throws {
            try await withMusic { hub, _ in
                let ping = try JSON.parse(Array(try await hub.tell("ping", "3", "--json").out.utf8))
                let offset = try #require(ping["offsetUs"]?.int)
                let trip = try #require(ping["roundTripUs"]?.int)
                // Both read the clock of this machine.
                #expect(ping["count"]?.int == 3 && trip > 0 && abs(offset) <= max(trip, 5000))

                let raw = try await hub.tell("raw", Commands.VolumeSet(22).frameText())
                let answers = try raw.lines.map { try HubMessage.decode(Array($0.utf8)) }
                guard case .state(let update) = try #require(answers.first), case .reply(let answer) = try #require(answers.last) else {
                    Issue.record("state comes before its answer: \(raw.out)")
                    return
                }
                #expect(answer.reply.id == 1 && answer.reply.isSuccess && update.header.revision == answer.reply.revision)
                let refused = try await hub.tell("raw", #"{"t":"cmd","id":1,"m":"vol.set","p":{"level":"loud"}}"#)
                #expect(refused.out.contains("bad_request") && refused.out.contains("/p/level"))
                #expect(try await hub.status().level == 22)

                let link = try await hub.tell("web").out
                // The page, and the ticket that makes it an admin's.
                #expect(link.hasPrefix(hub.page + "#ticket=") && link.hasSuffix("\n"), "\(link)")
                let curl = try await hub.home.run("/usr/bin/curl", ["-sS", "--max-time", "5", hub.page])
                #expect(curl.code == 0 && curl.out.lowercased().contains("<!doctype html>"))
            }
        }

        @Test func `what the hub refuses ends with code 1 and its sentence`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { hub in
                    for words in [
                        ["play"], ["seek", "5"], ["queue", "jump", "7"], ["play", "/nowhere/at/all.flac"],
                        ["queue", "add", "gopher://hole"],
                    ] {
                        let ended = try await home.run("baton", words)
                        #expect(
                            ended.code == 1 && ended.out.isEmpty && ended.complaints.count == 1,
                            "\(words): \(ended.code) \(ended.err)\(ended.out)")
                    }
                    let status = try await hub.status()
                    #expect(status.state == "stopped" && status.length == 0)
                }
            }
        }

        @Test func `play in an empty queue plays the music there is`() async throws {
            try await withMusic { hub, _ in
                #expect(try await hub.status().length == 0)
                // The hub answers before it has looked through its folders.
                try await eventually("something to play") { try await hub.baton("play").code == 0 }
                try await hub.reaches("the music folder, from its head") {
                    $0.state == "playing" && $0.title == "First Light" && $0.length == 3
                }
            }
        }

        @Test func `watch follows the hub through its restart`() async throws {
            try await Home.with { home in
                let hub = try await HubProcess.start(in: home)
                let watch = try home.start("baton", ["watch", "--json"])
                defer { watch.signal(SIGKILL) }
                func seen(level: Int) -> Bool {
                    watch.out.split(separator: "\n").contains { (try? Status(String($0)))?.level == Int64(level) }
                }
                try await eventually("the first picture") { seen(level: 30) }
                try await hub.tell("volume", "41")
                try await eventually("the change") { seen(level: 41) }
                try await hub.stop()

                try await HubProcess.with(in: home) { hub in
                    try await hub.tell("volume", "17")
                    try await eventually("what changed after the restart: \(watch.err)") { seen(level: 17) }
                    watch.signal(SIGINT)
                    #expect(try await watch.ended().code == 0)
                    let lines = watch.out.split(separator: "\n").map(String.init)
                    #expect(try lines.allSatisfy { try Status($0).json.object != nil })
                }
            }
        }
    }
}
