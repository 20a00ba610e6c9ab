import Foundation
import Testing

/// What `baton` says before any hub is involved, and when none is there.
extension EndToEnd {
    @Suite struct CommandLineTests {
        private static let verbs = [
            "status", "watch", "play", "pause", "toggle", "stop", "next", "prev", "seek", "volume", "mute", "mode", "queue", "rooms",
            "move",
            "discover", "doctor", "ping", "raw", "web",
        ]

        @Test(arguments: [["help"], ["--help"], ["-h"]])
        func `help fits on a screen and names every verb and exit code`(words: [String]) async throws {
            try await Home.with { home in
                let help = try await home.run("baton", words)

                #expect(help.code == 0 && help.err.isEmpty)
                let text = help.out
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count <= 25, "24 lines and the end of the last")
                #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
                for verb in Self.verbs { #expect(text.contains(" \(verb)"), "\(verb) is not in the help") }
                for code in 0...4 { #expect(text.contains("\(code) "), "exit code \(code) is not in the help") }
            }
        }

        @Test func `no verb at all is wrong usage, and brings the help`() async throws {
            try await Home.with { home in
                let ended = try await home.run("baton", [])

                #expect(ended.code == 2 && ended.out.isEmpty)
                #expect(ended.err.contains("usage: baton"))
            }
        }

        @Test func `each verb has a help of its own`() async throws {
            try await Home.with { home in
                for verb in Self.verbs {
                    let help = try await home.baton("help", verb)
                    #expect(help.code == 0 && help.out.contains("baton \(verb)"))
                }
            }
        }

        @Test func `a misspelt verb brings the one that was meant`() async throws {
            try await Home.with { home in
                let ended = try await home.baton("stauts")

                #expect(ended.code == 2 && ended.out.isEmpty)
                #expect(ended.err.contains("stauts") && ended.err.contains("Did you mean status?"))
            }
        }

        @Test(arguments: [
            ["--nope", "status"], ["--timeout", "soon", "status"], ["--timeout", "-1", "status"], ["--hub"], ["help", "fly"], ["seek"],
            ["raw"], ["status", "extra"], ["ping", "often"], ["ping", "0"], ["next", "--keep"], ["--room", "main", "ping"], ["move"],
            ["rooms", "paint"], ["rooms", "create"], ["rooms", "set", "main"], ["volume", "--ceiling", "loud"], ["mode", "loud"],
            ["rooms", "rename", "main"],
        ])
        func `a command line that makes no sense is answered with one sentence and code 2`(words: [String]) async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { hub in
                    let ended = try await home.run("baton", words)

                    #expect(ended.code == 2, "\(words): \(ended.err)")
                    #expect(ended.out.isEmpty && ended.complaints.count == 1 && ended.err.hasPrefix("baton: "))
                }
            }
        }

        @Test func `without a hub anywhere there is a sentence and code 3`() async throws {
            try await Home.with { home in
                for words in [
                    ["status"], ["toggle"], ["watch"], ["--hub", home.socket.path, "status"], ["--hub", "127.0.0.1:1", "status"],
                    ["discover"],
                ] {
                    let ended = try await home.run("baton", words)
                    #expect(ended.code == 3 && ended.out.isEmpty && !ended.err.isEmpty, "\(words): \(ended.code) \(ended.err)")
                }
            }
        }

        @Test func `a room that does not exist is answered with those that do`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { hub in
                    for words in [["status"], ["next"], ["queue"], ["watch"]] {
                        let ended = try await home.run("baton", words + ["--room", "bath"])
                        #expect(ended.code == 1 && ended.out.isEmpty && ended.complaints.count == 1)
                        #expect(ended.err.contains("no room “bath”") && ended.err.contains("Test hub (main)"), "\(ended.err)")
                    }
                    let remembered = try await home.baton("status", environment: ["BATON_ROOM": "bath"])
                    #expect(remembered.code == 1 && remembered.err.contains("BATON_ROOM"), "\(remembered.err)")
                    for name in ["main", "Test hub", "test HUB"] { #expect(try await hub.baton("--room", name, "volume").code == 0) }
                    #expect(try await home.baton("ping", "1", environment: ["BATON_ROOM": "bath"]).code == 0)
                }
            }
        }

        @Test func `how long to wait is asked of the environment where the command does not say`() async throws {
            try await Home.with { home in
                let refused = try await home.baton("status", environment: ["BATON_TIMEOUT": "soon"])
                #expect(refused.code == 2 && refused.err.contains("BATON_TIMEOUT is “soon”. Write seconds"), "\(refused.err)")
                let said = try await home.baton("--timeout", "0", "status", environment: ["BATON_TIMEOUT": "3"])
                #expect(said.code == 2 && said.err.contains("--timeout is “0”"), "\(said.err)")
            }
        }

        @Test func `the version is said`() async throws {
            try await Home.with { home in
                for program in ["baton", "batond"] {
                    let ended = try await home.run(program, ["--version"])
                    #expect(ended.code == 0 && ended.out.hasPrefix("\(program) ") && ended.lines.count == 1)
                }
            }
        }
    }
}
