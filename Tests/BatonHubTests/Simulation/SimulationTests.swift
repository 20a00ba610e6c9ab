import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

/// One hub and up to thirty clients while everything between them breaks. `BATON_SEEDS` says how
/// many seeds are tried, and `BATON_SEED` names the first; a failure names its own.
@Suite struct `Whatever breaks, the hub is never wrong` {
    private static let seeds = seedRange(usually: isSlow ? 1_000 : 100)

    @Test func `after any trouble everybody sees the same, and every press counted once`() async throws {
        try await onLoop {
            var failures = 0
            for seed in Self.seeds {
                let problems = try await Self.run(seed)
                if !problems.isEmpty {
                    Issue.record("BATON_SEED=\(seed): \(problems.joined(separator: "\n  "))")
                    failures += 1
                    if failures == 5 { return }
                }
                await Task.yield()
            }
        }
    }

    /// Few clients mostly, since most seeds should be quick; every fifth seed has a full house.
    @Loop
    static func run(_ seed: UInt64, trace: FrameTrace? = nil) async throws -> [String] {
        let world = try SimulatedWorld(seed: seed, clients: seed % 5 == 4 ? 30 : 2 + Int(seed % 9), trace: trace)
        // What its hub does in the background does not outlive the world.
        defer { world.sim.kill() }
        await world.live(steps: 60)
        if world.problems.isEmpty { await world.calmDown() }
        if world.problems.isEmpty { world.checkRest() }
        return world.problems
    }
}
