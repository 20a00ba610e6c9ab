import BatonSeams

/// Work without an answer that a client waits for: pieces that ask a source and wait for it, one after the other. Each piece
/// has a time limit of its own, after which it returns.
///
/// It runs on the loop and has no threads, unlike `WorkQueue`, whose jobs block the thread that runs them.
@Loop
final class BackgroundQueue {
    private var waiting: [@Loop () async -> Void] = []
    private var running: Task<Void, Never>?
    /// More than this can only pile up while a disk stands still; the newest matter most.
    private static let most = 1000

    var isBusy: Bool { running != nil }

    func add(_ work: @escaping @Loop () async -> Void) {
        if waiting.count >= Self.most { waiting.removeFirst() }
        waiting.append(work)
        guard running == nil else { return }
        running = Task(executorPreference: Loop.jobs) { [weak self] in await self?.run() }
    }

    /// Waits for its turn, and gives back what the work gave.
    func inTurn<Found: Sendable>(_ work: @escaping @Loop () async throws(SourceFault) -> Found) async throws(SourceFault) -> Found {
        let result: Result<Found, SourceFault> = await withCheckedContinuation { done in
            add {
                do throws(SourceFault) {
                    done.resume(returning: .success(try await work()))
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private func run() async {
        while !waiting.isEmpty { await waiting.removeFirst()() }
        running = nil
    }

    /// Until all of them are done.
    func finish() async { await running?.value }
}
