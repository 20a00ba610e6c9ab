import Foundation
import Testing

/// `baton` beside a real hub that goes away at the worst moments.
@Suite(.serialized) struct `A satellite keeps its word beside a real hub` {
    @Test func `next whose answer is lost on the way skips once`() async throws {
        try await ShippedPrograms.with { programs in
            _ = try await programs.startHub()
            let path = try await programs.startCutting()
            // The built-in album.
            #expect(try await programs.baton("play").code == 0)
            let before = try await programs.baton("status", "--format", "{entry}").out
            let second = try await programs.baton("queue", "--json").out

            let next = try await programs.baton("--hub", path, "next")

            #expect(next.code == 0, "\(next.err)")
            #expect(programs.text("cutting.out").contains("cut"), "the connection was to break")
            let after = try await programs.baton("status", "--format", "{entry}").out.trimmingCharacters(in: .newlines)
            let entries = second.matches(of: /"entry":"(\w+)"/).map { String($0.1) }
            #expect(entries.firstIndex(of: after) == 1, "from \(before) to \(after) in \(entries)")
        }
    }

    @Test func `a volume whose answer is lost is set`() async throws {
        try await ShippedPrograms.with { programs in
            _ = try await programs.startHub()
            let path = try await programs.startCutting()

            let volume = try await programs.baton("--hub", path, "volume", "+5")

            #expect(volume.code == 0 && volume.out == "volume 35 %\n", "\(volume.out)\(volume.err)")
            #expect(programs.text("cutting.out").contains("cut"))
        }
    }

    @Test func `watch goes on when the hub is killed and comes back, and says so once`() async throws {
        try await ShippedPrograms.with { programs in
            let hub = try await programs.startHub()
            let watch = try programs.startBaton("watch", "--json", out: "watch")
            try await programs.until("the first line") { programs.text("watch.out").contains("\n") }

            hub.signal(SIGKILL)
            hub.waitUntilExit()
            // A hub that is slow on a busy machine may have been missed before.
            func complaints() -> Int { programs.text("watch.err").matches(of: /The connection is lost/).count }
            try await programs.until("the complaint") { complaints() > 0 }
            _ = try await programs.startHub()
            #expect(try await programs.baton("volume", "42").code == 0)

            try await programs.until("the new volume") { programs.text("watch.out").contains(#""level":42"#) }
            #expect(watch.isRunning)
            let lines = programs.text("watch.out").split(separator: "\n")
            #expect(Set(lines).count == lines.count, "No state is shown twice, also not the one that is the same after the hub came back.")
            #expect(complaints() == 1, "\(programs.text("watch.err"))")
            #expect(programs.text("watch.out").split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
            watch.signal(SIGINT)
            try await programs.until("the end of watch") { !watch.isRunning }
            #expect(watch.code == 0)
        }
    }

    @Test func `what is printed behind play is what is heard`() async throws {
        try await ShippedPrograms.with { programs in
            _ = try await programs.startHub()

            // A machine that is busy with other things may take longer than the command waits.
            for verb in ["play", "next"] {
                let said = try await programs.baton(verb).out
                #expect(said.hasPrefix("playing\t") || said.hasPrefix("buffering\t"), "\(said)")
            }
        }
    }

    @Test func `a hub that stands still is given up in time`() async throws {
        try await ShippedPrograms.with { programs in
            let hub = try await programs.startHub()
            hub.signal(SIGSTOP)
            defer { hub.signal(SIGCONT) }

            let status = try await programs.baton("--hub", programs.hub, "--timeout", "0.5", "status")

            #expect(status.code == 4 && status.err.split(separator: "\n").count == 1, "\(status.code) \(status.err)")
        }
    }

    // MARK: Killed, and pressed by two

    private func place(_ programs: ShippedPrograms) async throws -> Int? {
        Int(try await programs.baton("status", "--json").out.firstMatch(of: /"idx":(\d+)/)?.1 ?? "")
    }

    @Test(arguments: ["answer", "command"])
    func `next that was asked of a hub that was killed is done once by the one that comes back`(moment: String) async throws {
        try await ShippedPrograms.with { programs in
            let hub = try await programs.startHub()
            #expect(try await programs.baton("mode", "repeat-all").code == 0)
            let path = try await programs.startCutting(moment, killing: hub)

            let next = try programs.startBaton("--hub", path, "--timeout", "30", "next", out: "next")
            try await programs.until("the kill") { programs.text("cutting.out").contains("cut") }
            hub.waitUntilExit()
            _ = try await programs.startHub()
            try await programs.until("the end of next") { !next.isRunning }

            #expect(next.code == 0, "\(programs.text("next.err"))")
            #expect(try await place(programs) == 1)
        }
    }

    @Test func `next ends with a sentence when the hub does not come back in time`() async throws {
        try await ShippedPrograms.with { programs in
            let hub = try await programs.startHub()
            let path = try await programs.startCutting("answer", killing: hub)

            let next = try await programs.baton("--hub", path, "--timeout", "1", "next")

            #expect(next.code == 4 && next.out.isEmpty, "\(next.code)")
            #expect(next.err.split(separator: "\n").count == 1 && next.err.hasPrefix("baton: "), "\(next.err)")
        }
    }

    @Test func `two satellites that ask for the next of one track at once skip it once, twenty times of twenty`() async throws {
        try await ShippedPrograms.with { programs in
            _ = try await programs.startHub()
            #expect(try await programs.baton("mode", "repeat-all").code == 0)
            let path = try await programs.startMeeting()
            var skipped = 0
            for round in 0..<20 {
                let before = try #require(try await place(programs))
                let both = try (0..<2).map { try programs.startBaton("--hub", path, "next", out: "next-\(round)-\($0)") }
                try await programs.until("both are done") { !both.contains { $0.isRunning } }
                #expect(both.allSatisfy { $0.code == 0 })
                skipped += (try #require(try await place(programs)) - before + 3) % 3
            }
            #expect(skipped == 20)
        }
    }

    @Test func `who pressed next before somebody else's next was done meant the same track`() async throws {
        try await ShippedPrograms.with { programs in
            _ = try await programs.startHub()
            #expect(try await programs.baton("mode", "repeat-all").code == 0)
            var skipped = 0
            for round in 0..<20 {
                let before = try #require(try await place(programs))
                let slow = try await programs.startBatonAsleep("next", out: "slow-\(round)")
                // The kernel tells when a program began in hundredths of a second.
                try await Task.sleep(for: .milliseconds(20))
                #expect(try await programs.baton("next").code == 0)
                slow.signal(SIGCONT)
                try await programs.until("the slow one is done") { !slow.isRunning }
                #expect(slow.code == 0)
                skipped += (try #require(try await place(programs)) - before + 3) % 3
            }
            #expect(skipped == 20)
            #expect(try await programs.baton("next").code == 0)
            #expect(try await programs.baton("next").code == 0)
            #expect(try await place(programs) == 1, "one after the other counts twice: 20 and 2 of 3")
        }
    }
}
