import BatonCore
package import BatonSeams

/// Where questions to sources wait until virtual time says that they are answered.
///
/// The tasks that ask run on real threads, so the order in which they get here is left to chance.
/// How long each waits is therefore drawn from what it asks, not from when it came.
@Loop
package final class SourceGate {
    @Loop
    private final class Ticket {
        var resume: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let time: VirtualTime
    private let life: Lifetime
    private let seed: UInt64
    private let longestUs: Microseconds
    private var waiting: [Ticket] = []

    package init(time: VirtualTime, life: Lifetime, seed: UInt64, longest: Duration) {
        self.time = time
        self.life = life
        self.seed = seed
        longestUs = Microseconds(longest)
        life.onEnd.append { [weak self] in self?.openForAll() }
    }

    /// Questions that were not given up.
    package var waitingCount: Int { waiting.count }

    nonisolated func wait(for text: String) async {
        await hold(text)
    }

    private func hold(_ text: String) async {
        let ticket = Ticket()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if ticket.isOver || life.isOver { return continuation.resume() }
                ticket.resume = continuation
                waiting.append(ticket)
                _ = time.after(.microseconds(delayUs(for: text))) { [weak self] in self?.open(ticket) }
            }
        } onCancel: {
            // A caller gives its question up on the loop.
            Loop.assumeIsolated { open(ticket) }
        }
    }

    private func delayUs(for text: String) -> Microseconds {
        let mixed = text.utf8.reduce(seed ^ UInt64(time.nowUs)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var random = SeededGenerator(mixed)
        return Microseconds(Int64.random(in: 0...longestUs.count, using: &random))
    }

    private func open(_ ticket: Ticket) {
        ticket.isOver = true
        waiting.removeAll { $0 === ticket }
        ticket.resume?.resume()
        ticket.resume = nil
    }

    private func openForAll() {
        for ticket in waiting { open(ticket) }
    }
}
