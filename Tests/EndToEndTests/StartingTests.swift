import Foundation
import Testing

/// How a hub starts, and what it says when it cannot.
extension EndToEnd {
    @Suite struct StartingTests {
        /// Starts a hub that must not start, and gives back its one sentence.
        private func refusal(_ flags: [String], in home: Home, environment: [String: String] = [:]) async throws -> String {
            let running = try HubProcess.launch(flags, in: home, environment: environment)
            defer { running.signal(SIGKILL) }
            let ended = try await running.ended(within: .seconds(60))
            #expect(ended.code != 0 && ended.code < 128, "\(flags) ended with \(ended.code)")
            // Beside it there may be lines of the log, which begin with their level.
            let sentences = ended.complaints.filter { $0.hasPrefix("batond: ") }
            #expect(sentences.count == 1, "\(flags) said: \(ended.err)")
            return sentences.joined()
        }

        @Test func `it prints its page, its socket and its protocol address, and all three answer`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { hub in
                    let said = hub.running.out
                    #expect(
                        said.contains("  socket  \(home.socket.path)\n")
                            && said.contains("  remotes ws://127.0.0.1:\(hub.port)/baton\n"))
                    for words in [
                        [home.socket.path], ["unix:\(home.socket.path)"], ["ws://127.0.0.1:\(hub.port)"], ["127.0.0.1:\(hub.port)"],
                        [hub.page],
                    ] {
                        let ended = try await home.run("baton", ["--hub"] + words + ["status"])
                        #expect(ended.code == 0 && ended.out.contains("Test hub"), "\(words): \(ended.err)")
                    }
                    let named = try await home.baton("status", environment: ["BATON_HUB": "127.0.0.1:\(hub.port)"])
                    #expect(named.code == 0)
                }
            }
        }

        @Test func `a hub without music offers an album of its own, and plays nothing until it is asked to`() async throws {
            try await Home.with { home in
                try await HubProcess.with(["--demo"], in: home) { hub in
                    try await hub.reaches("the album") { $0.length > 1 }
                    let offered = try await hub.status()
                    #expect(offered.state == "stopped" && offered.problems.isEmpty)
                    #expect(try await hub.tell("search", "quiet", "stairs").out.contains("Stairs"))
                    try await hub.tell("play")
                    try await hub.reaches("playing") { $0.state == "playing" && $0.positionMs > 0 && !$0.title.isEmpty }
                }
            }
        }

        @Test func `a second hub on the same data folder is refused, and the first plays on`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { hub in
                    let sentence = try await refusal(["--socket", home.folder.path + "/other.sock"], in: home)
                    #expect(sentence.contains(home.data.path))
                    #expect(try await hub.status().state == "stopped")
                }
            }
        }

        @Test func `a taken port and a taken socket are refused with their names`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { hub in
                    let elsewhere = ["--data", home.folder.path + "/other"]
                    let port = try await refusal(
                        elsewhere + ["--socket", home.folder.path + "/other.sock", "--listen", "127.0.0.1:\(hub.port)"], in: home)
                    #expect(port.contains("\(hub.port)"))
                    let socket = try await refusal(elsewhere, in: home)
                    #expect(socket.contains(home.socket.path))
                    #expect(try await hub.tell("ping", "1").code == 0)
                }
            }
        }

        @Test func `a data folder that cannot be one is refused`() async throws {
            try await Home.with { home in
                let file = try home.write("", to: "in-the-way")
                #expect(try await refusal(["--data", file], in: home).contains(file))
                #expect(try await refusal(["--data", file + "/below"], in: home).contains(file))
            }
        }

        @Test(.enabled(if: TestMachine.mayMount, "a read-only mount needs root"))
        func `a read-only data folder is refused`() async throws {
            try await Home.with { home in
                let data = home.folder.appending(path: "data").path
                // A hub has been here before, so everything that it wants to read is there.
                try await HubProcess.with(["--data", data], in: home) { _ in }
                let flags = HubProcess.usual + ["--listen", "127.0.0.1:0", "--data", data]
                let mount = "mount --bind '\(data)' '\(data)' && mount -o remount,bind,ro '\(data)' && exec \"$@\""
                let ended = try await home.run(
                    "/usr/bin/unshare", ["-m", "bash", "-c", mount, "hub", TestMachine.binary("batond")] + flags, within: .seconds(60))

                let sentences = ended.complaints.filter { $0.hasPrefix("batond: ") }
                #expect(ended.code == 1 && sentences.count == 1 && ended.err.contains(data), "\(ended.code): \(ended.err)")
                try await HubProcess.with(["--data", data], in: home) { hub in
                    let status = try await hub.status()
                    #expect(status.problems.isEmpty)
                }
            }
        }

        @Test func `an unknown key in the configuration is a warning with the key that was meant`() async throws {
            try await Home.with { home in
                _ = try home.write("start_levle = 12\nstart_level = 17\n\n[limits]\ncolour = blue\n", to: "config/baton/batond.conf")
                try await HubProcess.with(in: home) { hub in
                    let log = hub.running.err
                    #expect(log.contains("warning: ") && log.contains("start_levle") && log.contains("start_level"))
                    #expect(log.contains("colour"))
                    let level = try await hub.status().level
                    #expect(level == 17)
                }
            }
        }

        @Test func `wrong settings are named with their source, and the hub does not start`() async throws {
            try await Home.with { home in
                let mistakes: [(flags: [String], environment: [String: String], named: String)] = [
                    (["--start-level", "loud"], [:], "loud"), (["--no-such-flag"], [:], "--no-such-flag"),
                    ([], ["BATON_LOG": "shouting"], "BATON_LOG"), (["--config", "/nowhere.conf"], [:], "/nowhere.conf"),
                    (["song.mp3"], [:], "song.mp3"),
                ]
                for mistake in mistakes {
                    let sentence = try await refusal(mistake.flags, in: home, environment: mistake.environment)
                    #expect(sentence.contains(mistake.named), "\(sentence)")
                }
            }
        }

        @Test func `help of the hub names its settings`() async throws {
            try await Home.with { home in
                let help = try await home.run("batond", ["--help"])
                #expect(help.code == 0 && help.err.isEmpty)
                for flag in ["--data", "--socket", "--listen", "--audio", "--music", "--lan-plain", "--name", "--log"] {
                    #expect(help.out.contains(flag))
                }
            }
        }
    }
}
