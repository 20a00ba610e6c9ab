package import BatonSeams

/// A queue of work that no client waits for: pieces that ask a source, one after the other. Each piece returns after a time
/// limit of its own.
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
    /// Limit on waiting pieces. They only pile up while a disk hangs, and the newest matter most.
    static let most = 1000

    package init() {}

    var isBusy: Bool { running != nil }
    /// Number of waiting pieces.
    var count: Int { waiting.count }

    /// Adds a piece of work. `dropped` is called instead of it when too many newer pieces wait.
    package func add(orElse dropped: @escaping @Loop () -> Void = {}, _ work: @escaping @Loop () async -> Void) {
        if waiting.count >= Self.most { waiting.removeFirst().dropped() }
        waiting.append(Piece(work: work, dropped: dropped))
        guard running == nil else { return }
        running = Task(executorPreference: Loop.jobs) { [weak self] in await self?.run() }
    }

    /// Runs work in its turn and returns its result. The caller gets a fault when its piece is dropped.
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

    /// Waits until all pieces are done.
    package func finish() async { await running?.value }
}
