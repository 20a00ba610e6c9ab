import Foundation
import Testing

/// What survives the end of a hub, however it ends.
extension EndToEnd {
    @Suite struct RestartTests {
        private func settle(_ hub: HubProcess, _ album: [String]) async throws -> Status {
            try await hub.tell("queue", "add", album[0], album[1], album[2])
            try await hub.tell("queue", "jump", "2")
            try await hub.reaches("playing") { $0.state == "playing" && $0.title == "Second Wind" }
            try await hub.tell("volume", "42")
            try await hub.tell("pause")
            try await hub.tell("seek", "0:33")
            return try await hub.status()
        }

        private func expectSame(_ before: Status, _ after: Status, level: Int64) {
            #expect(after.state == "paused" && after.rate == 0)
            #expect(after.entry == before.entry && after.title == before.title)
            #expect(after.length == 3 && after.place == 1)
            #expect(after.positionMs == before.positionMs)
            #expect(after.level == level)
        }

        @Test func `queue, position and level survive an orderly end, and nothing plays by itself`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                var before: Status?
                try await HubProcess.with(in: home) { before = try await settle($0, album) }
                try await HubProcess.with(in: home) { hub in
                    let after = try await hub.status()
                    expectSame(try #require(before), after, level: 42)

                    try await hub.tell("play")
                    try await hub.reaches("playing on from there") { $0.state == "playing" && (33_050...50_000).contains($0.positionMs) }
                }
            }
        }

        @Test func `a room that was loud starts no louder than its owner allows`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { try await $0.tell("volume", "90") }
                try await HubProcess.with(in: home) { hub in
                    let level = try await hub.status().level
                    #expect(level == 50)
                }
            }
        }

        @Test func `a hub that is killed comes back with its queue, position and level`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                let hub = try await HubProcess.start(in: home)
                defer { hub.running.signal(SIGKILL) }
                let before = try await settle(hub, album)
                try await untilWritten()
                try await hub.kill()

                try await HubProcess.with(in: home) { hub in
                    expectSame(before, try await hub.status(), level: 42)
                }
            }
        }

        @Test func `a hub that is killed at 0:04 comes back at 0:04, and not at the beginning`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                let hub = try await HubProcess.start(in: home)
                defer { hub.running.signal(SIGKILL) }
                try await hub.tell("play", album[0])
                try await hub.reaches("0:04") { $0.state == "playing" && $0.positionMs >= 4_050 }
                try await hub.kill()

                try await HubProcess.with(in: home) { hub in
                    let positionMs = try await hub.status().positionMs
                    #expect(positionMs >= 4_000)
                }
            }
        }

        /// Level, pause and position are written behind, a second after they changed. Nothing tells when,
        /// so the promise is waited for, with as much again for a busy machine.
        private func untilWritten() async throws {
            let changed = ContinuousClock.now
            try await eventually("soft state has had its time") { ContinuousClock.now > changed + .seconds(2) }
        }

        @Test func `an edit that was answered survives a kill at once`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                for round in 1...3 {
                    let hub = try await HubProcess.start(in: home)
                    defer { hub.running.signal(SIGKILL) }
                    try await hub.tell("queue", "add", album[0])
                    try await hub.kill()
                    try await HubProcess.with(in: home) { hub in
                        let length = try await hub.status().length
                        #expect(length == Int64(round))
                    }
                }
            }
        }

        @Test func `a playing hub with watchers waits for none of them when it is asked to end`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                var times: [Duration] = []
                // A machine under load adds to any one of them. A hub that waits for a peer takes as long as its time limit, which is
                // 10 s and more, in all of them.
                for _ in 1...3 {
                    let hub = try await HubProcess.start(in: home)
                    let watchers = try (0..<3).map { _ in try home.start("baton", ["watch", "--json"]) }
                    defer { for running in watchers + [hub.running] { running.signal(SIGKILL) } }
                    try await hub.tell("play", album[0])
                    try await hub.reaches("playing") { $0.state == "playing" }
                    try await eventually("all watch") { watchers.allSatisfy { $0.out.contains("First Light") } }
                    let asked = ContinuousClock.now
                    #expect(try await hub.stop().code == 0)
                    times.append(ContinuousClock.now - asked)
                    #expect(!FileManager.default.fileExists(atPath: home.socket.path))
                }
                #expect(times.min()! < .seconds(5), "\(times)")
            }
        }
    }
}
