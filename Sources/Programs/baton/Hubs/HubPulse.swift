import BatonClient

/// Whether the hub answers. One whose machine stands still leaves its connection open, so only a question shows that nothing comes back.
enum HubPulse {
    // Together less than the second within which a person is told.
    private static let asksEvery = Duration.milliseconds(350)
    private static let answersWithin = Duration.milliseconds(550)

    private enum Outcome {
        case answered, late, gone
    }

    /// Tells each time when the hub falls silent, and when it answers again, until cancelled.
    static func follow(_ hub: SteadyHub, _ told: @escaping @Sendable (_ answers: Bool) async -> Void) async throws {
        while true {
            try await Task.sleep(for: asksEvery)
            // A connection that is gone is told of by the hub's changes, and is made anew meanwhile.
            guard await hub.isConnected else { continue }
            await ask(hub, told)
            try Task.checkCancellation()
        }
    }

    /// A late answer is waited for: giving a question up would end the connection, which on a slow network is a good one.
    private static func ask(_ hub: SteadyHub, _ told: @escaping @Sendable (Bool) async -> Void) async {
        await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                do {
                    _ = try await hub.live().exchangeClocks()
                    return .answered
                } catch {
                    return .gone
                }
            }
            group.addTask {
                try? await Task.sleep(for: answersWithin)
                return .late
            }
            defer { group.cancelAll() }
            guard await group.next() == .late, !Task.isCancelled else { return }
            await told(false)
            if await group.next() == .answered { await told(true) }
        }
    }
}
