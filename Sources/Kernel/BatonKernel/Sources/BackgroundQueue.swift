package import BatonSeams

/// Work without an answer that a client waits for: pieces that ask a source and wait for it, one after the other. Each piece
/// has a time limit of its own, after which it returns.
///
/// It runs on the loop and has no threads, unlike `WorkQueue`, whose jobs block the thread that runs them.
@Loop
package final class BackgroundQueue {
    private struct Piece {
        let work: @Loop () async -> Void
        let dropped: @Loop () -> Void
    }

    private var waiting: [Piece] = []
    private var running: Task<Void, Never>?
    /// More than this can only pile up while a disk stands still; the newest matter most.
    package static let most = 1000

    package init() {}

    package var isBusy: Bool { running != nil }
    /// How many pieces of work wait.
    package var count: Int { waiting.count }

    /// `dropped` is called in the place of the work when too many newer pieces wait.
    package func add(orElse dropped: @escaping @Loop () -> Void = {}, _ work: @escaping @Loop () async -> Void) {
        if waiting.count >= Self.most { waiting.removeFirst().dropped() }
        waiting.append(Piece(work: work, dropped: dropped))
        guard running == nil else { return }
        running = Task(executorPreference: Loop.jobs) { [weak self] in await self?.run() }
    }

    /// Waits for its turn, and gives back what the work gave. The caller gets an answer also when its piece is dropped.
    package func inTurn<Found: Sendable>(_ work: @escaping @Loop () async throws(SourceFault) -> Found) async throws(SourceFault) -> Found {
        let result: Result<Found, SourceFault> = await withCheckedContinuation { done in
            add(orElse: { done.resume(returning: .failure(Self.busy)) }) {
                do throws(SourceFault) {
                    done.resume(returning: .success(try await work()))
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private static let busy = SourceFault(.unavailable, "The hub has too much to write: its disk is slow. Try again in a moment.")

    private func run() async {
        while !waiting.isEmpty { await waiting.removeFirst().work() }
        running = nil
    }

    /// Until all of them are done.
    package func finish() async { await running?.value }
}
