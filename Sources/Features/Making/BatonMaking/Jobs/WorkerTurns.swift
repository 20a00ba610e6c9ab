import BatonCore
import BatonKernel
import BatonSeams

/// The turns at the workers: a task for each job that is being made, and the alarm for the next try of an offline one.
@Loop
final class WorkerTurns {
    private var tasks: [String: Task<Void, Never>] = [:]
    /// Tasks that were told to end, and may still run.
    private var ending: [Task<Void, Never>] = []
    private var alarm: (any Alarm)?
    private let clock: HubClock

    init(_ clock: HubClock) { self.clock = clock }

    /// Ids of the jobs that are being made.
    var running: Set<String> { Set(tasks.keys) }

    func begin(_ id: String, _ work: @escaping @Loop () async -> Void) {
        tasks[id] = Task(executorPreference: Loop.jobs) { await work() }
    }

    /// Ends the turn of a task that has done its work. A task that was told to end has no turn any more.
    func finished(_ id: String) { tasks[id] = nil }

    /// Tells the task of a job to end, and frees its worker.
    func end(_ id: String) {
        guard let task = tasks.removeValue(forKey: id) else { return }
        task.cancel()
        if ending.count >= MakingQueue.mostWaiting { ending.removeFirst() }
        ending.append(task)
    }

    /// Replaces the alarm; `nil` removes it.
    func wake(atUs dueUs: Microseconds?, _ body: @escaping @Loop () -> Void) {
        alarm?.cancel()
        alarm = dueUs.map { due in
            clock.after(.microseconds(max(10_000, due - clock.nowUs))) { [weak self] in
                self?.alarm = nil
                body()
            }
        }
    }

    func stop() { alarm?.cancel() }

    func close() async {
        for task in tasks.values { task.cancel() }
        for task in tasks.values { await task.value }
        for task in ending { await task.value }
    }
}
