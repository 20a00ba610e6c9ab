import BatonSeams

/// One question to a source that may never answer: answered, or given up when its time is over. The caller that
/// asks waits no longer than that, and the loop not at all.
@Loop
final class Question<Answer: Sendable> {
    private var result: Result<Answer, SourceFault>?
    private var asker: CheckedContinuation<Void, Never>?
    private var task: Task<Void, Never>?
    private var alarm: (any Alarm)?
    /// Called when its time is over without an answer; and once the source comes back after all.
    var whenLate: @Loop () -> Void = {}
    var whenBack: @Loop () -> Void = {}
    private var isLate = false

    /// Puts the question in `blockingPool`. After `limit` the answer is `late`, whatever may still come.
    func ask(
        in blockingPool: any TaskExecutor, within limit: Duration, _ reactor: any Reactor, orElse late: SourceFault,
        _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) {
        alarm = reactor.after(limit) { [weak self] in self?.giveUp(late) }
        // On the loop but for the question itself: else the workshop would be woken once more, only to end the task.
        task = Task(executorPreference: Loop.jobs) { [self] in
            let result = await withTaskExecutorPreference(blockingPool) { await Self.result(of: body) }
            await back(with: result)
        }
    }

    /// Off the loop.
    private nonisolated static func result(
        of body: @Sendable () async throws(SourceFault) -> Answer
    ) async -> Result<Answer, SourceFault> {
        do throws(SourceFault) { return .success(try await body()) } catch { return .failure(error) }
    }

    private func back(with result: Result<Answer, SourceFault>) {
        task = nil
        if isLate { whenBack() }
        settle(result)
    }

    private func giveUp(_ late: SourceFault) {
        guard result == nil else { return }
        isLate = true
        task?.cancel()
        whenLate()
        settle(.failure(late))
    }

    /// Only the first word counts.
    private func settle(_ result: Result<Answer, SourceFault>) {
        guard self.result == nil else { return }
        self.result = result
        alarm?.cancel()
        alarm = nil
        asker?.resume()
        asker = nil
    }

    /// Waits for the answer; once.
    var answer: Result<Answer, SourceFault> {
        get async {
            if let result { return result }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    if result == nil { asker = waiting } else { waiting.resume() }
                }
            } onCancel: {
                // A question is given up on the loop.
                Loop.assumeIsolated {
                    task?.cancel()
                    settle(.failure(.cancelled))
                }
            }
            return result ?? .failure(SourceFault(.failed, "There was no answer."))
        }
    }
}
