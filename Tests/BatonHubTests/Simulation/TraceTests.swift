import Foundation
import Harness
import Testing

/// The bytes on the wire: frames that the hub writes in twenty simulated lives, of which `Traces.txt` has a hash each. A change that must
/// leave the wire alone leaves them as they are. One that is meant to change it is recorded with `BATON_RECORD=1` in the environment, and
/// the file is committed with it. `BATON_TRACES=FOLDER` writes the frames, a file for each life, so that those of two builds can be compared.
@Suite struct TraceTests {
    private static let seeds: Range<UInt64> = 0..<20
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces.txt")

    @Test func `every frame of twenty simulated lives is the recorded one`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["BATON_TRACES"].map { URL(filePath: $0) }
        let found = try await onLoop {
            var found: [String] = []
            for seed in Self.seeds {
                let trace = FrameTrace(keepsText: folder != nil)
                _ = try await `Whatever breaks, the hub is never wrong`.run(seed, trace: trace)
                found.append("\(seed) \(trace.count) \(trace.number)")
                if let folder {
                    let text = trace.lines.joined(separator: "\n")
                    try text.write(to: folder.appending(path: "\(seed).txt"), atomically: true, encoding: .utf8)
                }
                await Task.yield()
            }
            return found
        }
        if environment["BATON_RECORD"] == "1" {
            try found.map { $0 + "\n" }.joined().write(to: Self.file, atomically: true, encoding: .utf8)
        }

        let recorded = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)

        #expect(found == recorded)
    }
}
