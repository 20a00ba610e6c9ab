import Foundation
import Testing

/// `baton` beside a real hub that goes away at the worst moments.
@Suite(.serialized) struct `A satellite keeps its word beside a real hub` {
    @Test func `next whose answer is lost on the way skips once`() async throws {
        try await Stage.with { stage in
            _ = try await stage.startHub()
            let path = try await stage.startCutting()
            // The built-in album.
            #expect(try await stage.baton("play").code == 0)
            let before = try await stage.baton("status", "--format", "{entry}").out
            let second = try await stage.baton("queue", "--json").out

            let next = try await stage.baton("--hub", path, "next")

            #expect(next.code == 0, "\(next.err)")
            #expect(stage.text("cutting.out").contains("cut"), "the connection was to break")
            let after = try await stage.baton("status", "--format", "{entry}").out.trimmingCharacters(in: .newlines)
            let entries = second.matches(of: /"entry":"(\w+)"/).map { String($0.1) }
            #expect(entries.firstIndex(of: after) == 1, "from \(before) to \(after) in \(entries)")
        }
    }

    @Test func `a volume whose answer is lost is set`() async throws {
        try await Stage.with { stage in
            _ = try await stage.startHub()
            let path = try await stage.startCutting()

            let volume = try await stage.baton("--hub", path, "volume", "+5")

            #expect(volume.code == 0 && volume.out == "volume 35 %\n", "\(volume.out)\(volume.err)")
            #expect(stage.text("cutting.out").contains("cut"))
        }
    }

    @Test func `watch goes on when the hub is killed and comes back, and says so once`() async throws {
        try await Stage.with { stage in
            let hub = try await stage.startHub()
            let watch = try stage.startBaton("watch", "--json", out: "watch")
            try await stage.until("the first line") { stage.text("watch.out").contains("\n") }

            kill(hub.processIdentifier, SIGKILL)
            hub.waitUntilExit()
            try await stage.until("the complaint") { stage.text("watch.err").contains("\n") }
            _ = try await stage.startHub()
            #expect(try await stage.baton("volume", "42").code == 0)

            try await stage.until("the new volume") { stage.text("watch.out").contains(#""level":42"#) }
            #expect(watch.isRunning)
            let beforeTheEnd = stage.text("watch.out").split(separator: "\n").prefix { !$0.contains(#""level":42"#) }
            #expect(beforeTheEnd.count <= 2, "one state before the hub was killed, and one when it came back")
            #expect(stage.text("watch.err").split(separator: "\n").count == 1, "\(stage.text("watch.err"))")
            #expect(stage.text("watch.out").split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
            watch.interrupt()
            try await stage.until("the end of watch") { !watch.isRunning }
            #expect(watch.terminationStatus == 0)
        }
    }

    @Test func `what is printed behind play is what is heard`() async throws {
        try await Stage.with { stage in
            _ = try await stage.startHub()

            // A machine that is busy with other things may take longer than the command waits.
            for verb in ["play", "next"] {
                let said = try await stage.baton(verb).out
                #expect(said.hasPrefix("playing\t") || said.hasPrefix("buffering\t"), "\(said)")
            }
        }
    }

    @Test func `a hub that stands still is given up in time`() async throws {
        try await Stage.with { stage in
            let hub = try await stage.startHub()
            kill(hub.processIdentifier, SIGSTOP)
            defer { kill(hub.processIdentifier, SIGCONT) }

            let status = try await stage.baton("--hub", stage.hub, "--timeout", "0.5", "status")

            #expect(status.code == 4 && status.err.split(separator: "\n").count == 1, "\(status.code) \(status.err)")
        }
    }
}
