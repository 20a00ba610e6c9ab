package import BatonSeams

/// A question that may stay unanswered. It ends with its answer, at its time limit, or when the caller cancels it, so the
/// caller waits no longer than that, and the loop never waits.
@Loop
package final class Question<Answer: Sendable> {
    private var result: Result<Answer, SourceFault>?
    private var asker: CheckedContinuation<Void, Never>?
    private var task: Task<Void, Never>?
    private var alarm: (any Alarm)?
    private var givingUp: GivingUp?
    /// The lane that counts the running question, and its number there.
    private weak var lane: SourceLane?
    private var number = 0

    package init() {}

    var isSettled: Bool { result != nil }

    /// Runs `body` in `blockingPool` at once. After `limit` the result is `late`, and a later answer is ignored.
    package func ask(
        in blockingPool: any TaskExecutor, within limit: Duration, _ reactor: any Reactor,
        orElse late: @autoclosure @escaping @Loop () -> SourceFault,
        _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) {
        wait(within: limit, reactor, orElse: late())
        begin(in: blockingPool, body)
    }

    /// Starts the time limit, also while the question is in a queue.
    func wait(within limit: Duration, _ reactor: any Reactor, orElse late: @autoclosure @escaping @Loop () -> SourceFault) {
        alarm = reactor.after(limit) { [weak self] in self?.giveUp(.late, late()) }
    }

    /// Runs the question in a lane. The lane is told when the running question is given up, and when its body has ended.
    func begin(
        in executor: any TaskExecutor, of lane: SourceLane, as number: Int,
        _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) {
        self.lane = lane
        self.number = number
        begin(in: executor, body)
    }

    func begin(in executor: any TaskExecutor, _ body: @escaping @Sendable () async throws(SourceFault) -> Answer) {
        // The task runs on the loop except for the body, since the other thread would be woken again only to end the task.
        task = Task(executorPreference: Loop.jobs) { [self] in
            let result = await withTaskExecutorPreference(executor) { await Self.result(of: body) }
            await back(with: result)
        }
    }

    /// Runs the body, off the loop.
    private nonisolated static func result(
        of body: @Sendable () async throws(SourceFault) -> Answer
    ) async -> Result<Answer, SourceFault> {
        do throws(SourceFault) { return .success(try await body()) } catch { return .failure(error) }
    }

    private func back(with result: Result<Answer, SourceFault>) {
        task = nil
        lane?.ended(number, givingUp)
        settle(result)
    }

    /// Ends the question early, as its time limit would.
    func release(_ fault: SourceFault) { giveUp(.late, fault) }

    private func giveUp(_ reason: GivingUp, _ fault: SourceFault) {
        guard result == nil else { return }
        givingUp = reason
        if let task {
            task.cancel()
            lane?.count(reason, 1)
        }
        settle(.failure(fault))
    }

    /// Sets the result. Only the first one counts.
    private func settle(_ result: Result<Answer, SourceFault>) {
        guard self.result == nil else { return }
        self.result = result
        alarm?.cancel()
        alarm = nil
        wake()
    }

    /// Waits for the answer up to this limit. False when there is none by then; the caller may wait again.
    func settles(within limit: Duration, _ reactor: any Reactor) async -> Bool {
        guard result == nil else { return true }
        let alarm = reactor.after(limit) { [weak self] in self?.wake() }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                if result == nil { asker = waiting } else { waiting.resume() }
            }
        } onCancel: {
            Loop.assumeIsolated { giveUp(.cancelled, .cancelled) }
        }
        return result != nil
    }

    private func wake() {
        asker?.resume()
        asker = nil
    }

    /// The answer, which may be awaited once.
    package var answer: Result<Answer, SourceFault> {
        get async {
            if let result { return result }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    if result == nil { asker = waiting } else { waiting.resume() }
                }
            } onCancel: {
                // A question is cancelled on the loop.
                Loop.assumeIsolated { giveUp(.cancelled, .cancelled) }
            }
            return result ?? .failure(SourceFault(.failed, "There was no answer."))
        }
    }
}

/// The reason why a question ended without its answer.
package enum GivingUp {
    case late, cancelled
}
