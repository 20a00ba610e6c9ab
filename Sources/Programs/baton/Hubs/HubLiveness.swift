import BatonClient

/// Detects whether the hub still answers. A hub whose machine has stopped leaves its connection open, so only a query
/// shows it.
enum HubLiveness {
    // Together less than a second, after which a person should know.
    private static let asksEvery = Duration.milliseconds(350)
    private static let answersWithin = Duration.milliseconds(550)

    private enum Outcome {
        case answered, late, gone
    }

    /// Reports each time when the hub stops or resumes answering, until cancelled.
    static func follow(_ hub: ReconnectingHub, _ told: @escaping @Sendable (_ answers: Bool) async -> Void) async throws {
        while true {
            try await Task.sleep(for: asksEvery)
            // A lost connection is reported by the hub's changes, and is restored meanwhile.
            guard await hub.isConnected else { continue }
            await ask(hub, told)
            try Task.checkCancellation()
        }
    }

    /// Sends a query and waits for the answer, even a late one: cancelling would close the connection, which may be
    /// good on a slow network.
    private static func ask(_ hub: ReconnectingHub, _ told: @escaping @Sendable (Bool) async -> Void) async {
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
