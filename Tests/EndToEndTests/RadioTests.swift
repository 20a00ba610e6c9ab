import BatonProtocol
import Foundation
import Testing

/// A station on the network, from its address to what it says it plays.
extension EndToEnd {
    @Suite struct RadioTests {
        /// The player's own test server, with a station of twenty seconds.
        private func withStation(in home: Home, _ body: (String) async throws -> Void) async throws {
            let sine = "sine=frequency=440:sample_rate=44100:duration=20"
            let station = home.folder.appending(path: "station.mp3").path
            let made = try await home.run(
                "/usr/bin/ffmpeg",
                ["-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", sine, "-b:a", "128k", "-write_xing", "0", station])
            try #require(made.code == 0, "ffmpeg made no station: \(made.err)")
            let script = TestMachine.root.appending(path: "Tests/PlayerTests/server.py").path
            // The server ends with its standard input.
            let server = try home.start("/bin/sh", ["-c", "sleep 60 | exec /usr/bin/python3 \"$0\" \"$1\"", script, home.folder.path])
            defer { server.signal(SIGTERM) }
            try await eventually("the station's port") { server.out.hasSuffix("\n") }
            try await body("http://127.0.0.1:\(server.out.split(separator: "\n")[0])")
        }

        @Test func `plays by its address, says what it plays, and changes it while it plays`() async throws {
            try await Home.with { home in
                try await withStation(in: home) { address in
                    try await HubProcess.with(in: home) { hub in
                        try await hub.tell("play", "\(address)/icy")

                        let first = try await hub.reaches("the first title") { $0.json["now"]?["streamTitle"]?.string == "Anna - First" }
                        #expect(first.state == "playing" && first.json["now"]?["durMs"] == nil)
                        #expect(try await hub.tell("status").out.contains("Anna - First"))
                        let second = try await hub.reaches("the next title") { $0.json["now"]?["streamTitle"]?.string == "Bert - Second" }
                        #expect(second.entry == first.entry)
                        #expect(try await hub.tell("status").out.contains("Bert - Second"))
                        #expect(second.json["now"]?["kind"]?.string == "station" && second.json["tl"]?["live"]?.bool == true)
                    }
                }
            }
        }

        @Test func `a file on a web server plays with its tags, and a missing one is said in words`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                try FileManager.default.copyItem(atPath: album[0], toPath: home.folder.appending(path: "first.flac").path)
                try await withStation(in: home) { address in
                    try await HubProcess.with(in: home) { hub in
                        try await hub.tell("play", "\(address)/first.flac")
                        try await hub.reaches("its tags") { $0.title == "First Light" && $0.state == "playing" && $0.positionMs > 0 }

                        let missing = try await hub.baton("play", "\(address)/gone.mp3")
                        #expect(missing.code == 1 && missing.err.contains("404"))
                        try await hub.reaches("a sentence") { $0.problems.contains { $0.contains("the server does not have it (404)") } }
                    }
                }
            }
        }
    }
}
