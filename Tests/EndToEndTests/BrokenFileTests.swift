import Foundation
import Testing

/// Files that cannot be played: skipped with a sentence, and never a silent stop.
extension EndToEnd {
    @Suite struct BrokenFileTests {
        /// One broken file of each kind, and what makes it so.
        private func breakages(in home: Home) async throws -> [(what: String, path: String)] {
            let whole = try await home.makeTones([Home.Tone("whole.flac", title: "Whole", seconds: 5)])[0]
            let empty = home.music.appending(path: "empty.flac").path
            try Data().write(to: URL(filePath: empty))
            let text = try home.write(String(repeating: "This is no music. ", count: 400), to: "music/text.mp3")
            let gone = home.music.appending(path: "gone.flac").path
            try FileManager.default.copyItem(atPath: whole, toPath: gone)
            let folder = home.music.appending(path: "folder.flac").path
            try FileManager.default.copyItem(atPath: whole, toPath: folder)
            return [("zero length", empty), ("text", text), ("missing", gone), ("a folder where a file was", folder)]
        }

        /// What stood in the queue and went bad before it was its turn.
        private func spoil(_ home: Home) throws {
            let files = FileManager.default
            try files.removeItem(atPath: home.music.appending(path: "gone.flac").path)
            try files.removeItem(atPath: home.music.appending(path: "folder.flac").path)
            try files.createDirectory(atPath: home.music.appending(path: "folder.flac").path, withIntermediateDirectories: false)
        }

        @Test func `each kind of broken file is skipped with a visible problem, and the next one plays`() async throws {
            try await Home.with { home in
                let broken = try await breakages(in: home)
                let good = try await home.makeTones([Home.Tone("good.flac", title: "Good", seconds: 30)])[0]
                try await HubProcess.with(in: home) { hub in
                    for (what, path) in broken { #expect(try await hub.baton("queue", "add", path, good).code == 0, "\(what)") }
                    try spoil(home)
                    for (index, (what, path)) in broken.enumerated() {
                        try await hub.tell("queue", "jump", "\(2 * index + 1)")
                        let status = try await hub.reaches("the good file behind one with \(what)") {
                            $0.state == "playing" && $0.place == Int64(2 * index + 1) && $0.title == "Good"
                        }
                        let name = URL(filePath: path).lastPathComponent
                        #expect(status.problems.contains { $0.contains(name) }, "\(what): \(status.problems)")
                        #expect(try await hub.tell("status").out.contains(name))
                    }
                    try await hub.tell("pause")
                    try await hub.tell("play")
                    try await hub.reaches("no more problems, as somebody has decided something") { $0.problems.isEmpty }
                }
            }
        }

        @Test func `a queue of broken files stops and says so`() async throws {
            try await Home.with { home in
                let broken = try await breakages(in: home)
                try await HubProcess.with(in: home) { hub in
                    for (_, path) in broken { try await hub.tell("queue", "add", path) }
                    try spoil(home)
                    try await hub.tell("play")
                    let stopped = try await hub.reaches("stopped, with a reason") { $0.state == "stopped" && !$0.problems.isEmpty }
                    #expect(stopped.problems.contains { $0.contains("4 entries in a row") }, "\(stopped.problems)")
                    #expect(stopped.length == 4)
                    #expect(try await hub.tell("mode", "repeat", "on").code == 0)
                    try await hub.tell("play")
                    try await hub.reaches("stopped after one pass, however often it may repeat") {
                        $0.state == "stopped" && !$0.problems.isEmpty
                    }
                }
            }
        }

        @Test func `what is refused at once is a sentence, and nothing is lost`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                let empty = home.music.appending(path: "void")
                try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
                try await HubProcess.with(in: home) { hub in
                    try await hub.tell("play", album[0])
                    try await hub.reaches("playing") { $0.state == "playing" }
                    for path in [home.folder.path + "/nothing.flac", empty.path, try home.write("x", to: "music/notes.txt")] {
                        let ended = try await hub.baton("play", path)
                        #expect(ended.code == 1 && ended.complaints.count == 1, "\(path): \(ended.err)")
                    }
                    let after = try await hub.status()
                    #expect(after.state == "playing" && after.title == "First Light" && after.length == 1)
                }
            }
        }

        @Test func `a remote over the port reaches the music folders and nothing else`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                let secret = home.folder.appending(path: "secret.flac").path
                try FileManager.default.copyItem(atPath: album[0], toPath: secret)
                let link = home.music.appending(path: "link.flac").path
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: secret)
                try await HubProcess.with(in: home) { hub in
                    let port = "127.0.0.1:\(hub.port)"
                    #expect(try await hub.baton("--hub", port, "queue", "add", album[0]).code == 0)
                    for path in [secret, link, home.music.path + "/../secret.flac", "file://" + secret] {
                        let ended = try await hub.baton("--hub", port, "queue", "add", path)
                        #expect(ended.code == 1 && ended.err.contains("outside"), "\(path): \(ended.code) \(ended.err)")
                    }
                    #expect(try await hub.baton("queue", "add", secret).code == 0, "the socket may name any path")
                }
            }
        }
    }
}
