import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Glibc
import Harness
import Testing

/// Several rooms of the shipped hub, each with a libmpv of its own.
extension EndToEnd {
    @Suite struct RoomsTests {
        /// The sections of one room, and when they were asked for on the clock that the hub uses.
        private func look(at room: String, of hub: HubProcess) async throws -> (sections: JSON, atMs: Milliseconds) {
            let answer = try await hub.home.run("/usr/bin/curl", ["-sS", "\(hub.page)baton/state?room=\(room)"])
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let sections = try #require(try JSON.parse(Array(answer.out.utf8))["s"], "\(answer.out)")
            let (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec))
            return (sections, Milliseconds(seconds * 1000 + nanoseconds / 1_000_000))
        }

        /// Where the room's line says that it is at a moment.
        private func position(_ sections: JSON, atMs nowMs: Milliseconds) -> Milliseconds {
            let line = sections["tl"]
            let positionMs = Milliseconds(line?["posMs"]?.int ?? 0)
            let atUs = Microseconds(line?["atUs"]?.int ?? 0)
            let rate = Int(line?["rate"]?.int ?? 0)
            return positionMs + (nowMs - Milliseconds(atUs)) * rate / 1000
        }

        private func players(of hub: HubProcess) -> Int {
            let folder = "/proc/\(hub.running.pid)/task"
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return threads.count {
                (try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8))?.hasPrefix("mpv/mpv core") == true
            }
        }

        private func send(_ command: some WireCommand, key: String? = nil, to hub: HubProcess) async throws {
            try await hub.tell("raw", command.frameText(key: key))
        }

        @Test func `what plays goes on in another room where it was, and a deleted room's player goes`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                try await HubProcess.with(in: home) { hub in
                    try await send(Commands.RoomCreate("Bath", output: "null"), key: "make1", to: hub)
                    try await hub.tell("play", album[0])
                    try await hub.reaches("well under way") { $0.state == "playing" && $0.positionMs > 1500 }
                    #expect(players(of: hub) == 1, "A room's player is made when it plays first.")

                    try await send(Commands.RoomMove(RoomID("bath")), key: "move1", to: hub)
                    let moved = try await look(at: "bath", of: hub)
                    try await eventually("sound in the bath") {
                        try await look(at: "bath", of: hub).sections["tl"]?["st"]?.string == "playing"
                    }
                    let plays = try await look(at: "bath", of: hub)

                    // From there on: nothing is skipped, and nothing heard twice.
                    let began = Milliseconds(moved.sections["tl"]?["posMs"]?.int ?? -1)
                    let there = position(plays.sections, atMs: plays.atMs)
                    #expect(began >= 1500 && there >= began - 50)
                    #expect(there <= began + (plays.atMs - moved.atMs) + 300)
                    #expect(plays.sections["now"]?["title"]?.string == "First Light")
                    let left = try await look(at: "main", of: hub)
                    #expect(left.sections["tl"]?["st"]?.string == "stopped" && left.sections["queue"]?["len"]?.int == 0)
                    #expect(players(of: hub) == 2)

                    try await send(Commands.RoomDelete(RoomID("bath")), to: hub)
                    try await eventually("one player less") { players(of: hub) == 1 }
                }
            }
        }

        private func status(of room: String, _ hub: HubProcess) async throws -> Status {
            try Status(try await hub.tell("--room", room, "status", "--json").out)
        }

        /// What the hub says no to, as a person reads it.
        private func refusal(_ words: String..., of hub: HubProcess) async throws -> String {
            let ended = try await hub.home.run("baton", words)
            #expect(ended.code == 1 && ended.complaints.count == 1, "baton \(words.joined(separator: " ")): \(ended.code)")
            return ended.err
        }

        @Test func `rooms are made, named, limited, played in, moved between and deleted from the command line`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                try await HubProcess.with(in: home) { hub in
                    let made = try await hub.tell("rooms", "create", "Bath", "--output", "null")
                    #expect(made.out == "There is a room “Bath” now. To play in it: baton --room bath play\n")
                    try await hub.tell("rooms", "rename", "Bath", "Spa")
                    #expect(try await refusal("rooms", "create", "SPA", of: hub).contains("“Spa”"))

                    try await hub.tell("rooms", "set", "spa", "--ceiling", "40", "--floor", "10", "--start-max", "20")
                    try await hub.tell("--room", "Spa", "volume", "90")
                    #expect(try await status(of: "Spa", hub).level == 40)
                    try await hub.tell("rooms", "set", "Spa", "--output", "none")
                    try await hub.tell("rooms", "set", "Spa", "--output", "null")

                    try await hub.tell("--room", "Spa", "queue", "add", album[1])
                    try await hub.tell("play", album[0])
                    try await hub.tell("move", "Spa")
                    let there = try await status(of: "Spa", hub)
                    #expect(there.title == "First Light" && there.length == 1 && ["playing", "buffering"].contains(there.state))
                    #expect(try await hub.status().length == 0)
                    // Taken back while it plays: the song goes on, and its own music is there again.
                    try await hub.tell("--room", "Spa", "queue", "undo")
                    let own = try await status(of: "Spa", hub)
                    #expect(own.length == 2 && own.title == "First Light")

                    // Pulled here, and kept there.
                    try await hub.tell("move", "--from", "Spa", "--keep")
                    let (here, kept) = (try await hub.status(), try await status(of: "Spa", hub))
                    #expect(here.title == "First Light" && here.length == 2)
                    #expect(kept.state == "paused" && kept.length == 2)

                    try await hub.tell("rooms", "delete", "--yes", "Spa")
                    #expect(try await refusal("rooms", "delete", "--yes", "main", of: hub).contains("its last"))
                    #expect(try await refusal("--room", "Spa", "status", of: hub).contains("no room “Spa”"))
                    #expect(try await hub.tell("rooms").lines.count == 1)
                }
            }
        }

        @Test func `rooms, their names and their rails survive a power cut`() async throws {
            try await Home.with { home in
                let hub = try await HubProcess.start(in: home)
                for (number, name) in ["Bath", "Hall", "Attic"].enumerated() {
                    try await send(Commands.RoomCreate(name, output: "null"), key: "make\(number)", to: hub)
                }
                try await send(Commands.RoomSet(room: RoomID("hall"), ceiling: 40), to: hub)
                try await send(Commands.RoomRename(RoomID("attic"), name: "Loft"), to: hub)
                try await send(Commands.RoomDelete(RoomID("bath")), to: hub)
                try await hub.kill()

                try await HubProcess.with(in: home) { hub in
                    let hall = try await look(at: "hall", of: hub).sections
                    #expect(hall["vol"]?["range"]?.array == [0, 40])
                    #expect(hall["rooms"]?["list"]?.array?.compactMap { $0["name"]?.string } == ["Test hub", "Hall", "Loft"])
                }
            }
        }
    }
}
