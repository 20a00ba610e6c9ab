import BatonProtocol
import Foundation
import Testing

/// The cost of an idle hub.
extension EndToEnd {
    @Suite struct IdleTests {
        /// How often the process has gone to sleep and was woken, over all of its threads. When a busy machine takes it off
        /// a processor that is another count.
        private func switches(of hub: HubProcess) throws -> Int {
            let tasks = URL(filePath: "/proc/\(hub.running.pid)/task")
            return try FileManager.default.contentsOfDirectory(atPath: tasks.path).reduce(0) { sum, task in
                let status = try String(contentsOf: tasks.appending(path: "\(task)/status"), encoding: .utf8)
                let counts = status.split(separator: "\n").filter { $0.hasPrefix("voluntary_ctxt_switches") }.compactMap {
                    $0.split(separator: "\t").last
                }
                return sum + counts.compactMap { Int($0) }.reduce(0, +)
            }
        }

        private func threads(of hub: HubProcess) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(hub.running.pid)/task").count
        }

        @Test func `a hub whose sources were asked sleeps again, and Swift's own pool was never woken`() async throws {
            try await Home.with { home in
                let album = try await home.makeAlbum()
                try await HubProcess.with(in: home) { hub in
                    for round in 1...5 { try await hub.tell("queue", "add", album[round % 3]) }
                    try await hub.tell("queue", "add", home.music.path)
                    // The loop, six in the workshop, two that scan and one that watches folders, three for questions to the
                    // music folder, one for each of two readers until it is let go, and one more while libmpv is being opened.
                    #expect(try threads(of: hub) <= 16)
                    // Once its pool was used, a watcher of the system's own wakes the process every second. Until what was
                    // asked is done there are other reasons, so that one quiet stretch is waited for.
                    var counts: [Int] = []
                    while counts.count < 8, counts.last.map({ $0 >= 5 }) ?? true {
                        let before = try switches(of: hub)
                        try await Task.sleep(for: .seconds(5))
                        counts.append(try switches(of: hub) - before)
                    }
                    #expect(counts.last! < 5, "\(counts), each in five seconds")
                }
            }
        }
    }
}
