import BatonCore
import BatonKernel
import BatonSeams

/// Work that workers still do for cancelled jobs. It is ended at the worker if possible, or else followed until the late file
/// can be deleted.
@Loop
final class CancelledWork: MakingObserver {
    private struct Item {
        let memory: String
        let worker: any GenerationWorker
        var tries = 0
        var alarm: (any Alarm)?
        var task: Task<Void, Never>?
    }

    private var items: [String: Item] = [:]
    private let jobs: MakingJobs

    /// Limit on attempts. The last ones are 15 seconds apart, so a worker is followed for ten minutes.
    private static let mostTries = 42
    private static func pause(after tries: Int) -> Duration { .seconds(min(tries * 2, 15)) }

    init(_ jobs: MakingJobs) { self.jobs = jobs }

    func hear(_ news: MakingNews) {
        switch news {
        case .goesOn: for job in jobs.queue.jobs.values { end(job) }
        case .unmade(let job, _): end(job)
        default: break
        }
    }

    func close() {
        for item in items.values {
            item.alarm?.cancel()
            item.task?.cancel()
        }
        items = [:]
    }

    /// Ends the worker's own work for a cancelled job.
    private func end(_ job: GenerationJob) {
        guard job.state == .cancelled, let memory = job.memory, let worker = jobs.workers.named(job.worker)?.worker else { return }
        guard items[job.id] == nil else { return }
        items[job.id] = Item(memory: memory, worker: worker)
        ask(job.id)
    }

    private func ask(_ id: String) {
        guard let (memory, worker) = items[id].map({ ($0.memory, $0.worker) }) else { return }
        items[id]?.tries += 1
        items[id]?.task = Task(executorPreference: Loop.jobs) { [weak self] in await self?.ask(id, noted: memory, by: worker) }
    }

    private func ask(_ id: String, noted memory: String, by worker: any GenerationWorker) async {
        do throws(SourceFault) {
            let isOver = try await jobs.sources.inBlockingPool { () async throws(SourceFault) in try await worker.discard(memory) }
            heard(id, isOver: isOver)
        } catch {
            // A refusal is final, unless the worker is unavailable.
            heard(id, isOver: error.code != .unavailable)
        }
    }

    private func heard(_ id: String, isOver: Bool) {
        guard let item = items[id] else { return }
        guard !isOver, item.tries < Self.mostTries else {
            items[id] = nil
            jobs.forget(id)
            return
        }
        items[id]?.alarm = jobs.clock.after(Self.pause(after: item.tries)) { [weak self] in self?.ask(id) }
    }
}
