import BatonCore
import BatonKernel
import BatonSeams

/// Cancelling a job: the hub's own task, the work at the worker, and the files.
extension GenerationService {
    /// Cancels a job. False when it had ended.
    func cancel(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard jobs[id] != nil else { throw Self.missing(id) }
        guard try await keep(id, taking: .cancelled) else { return false }
        leave(id)
        return true
    }

    /// Cancels a job for the hub itself, even when the change cannot be stored.
    func withdraw(_ id: String) async { _ = try? await inTurn { [weak self] in await self?.cancelInTurn(id) } }

    /// Handles the removal of a job's last entry.
    func left(_ id: String) {
        guard let job = jobs[id], !job.state.isOver else { return }
        log(.debug, "“\(job.title)” is not made: its entry was taken out of the queue.")
        writing.add { [weak self] in await self?.cancelInTurn(id) }
    }

    private func cancelInTurn(_ id: String) async {
        guard step(id, .cancelled) else { return }
        await keepOrWait(id)
        leave(id)
    }

    /// Ends all work for a cancelled job.
    private func leave(_ id: String) {
        end(id)
        removeFiles(of: id)
        if let job = jobs[id], job.state == .cancelled {
            endAtWorker(job)
            queues.noted(job.uri, unmade(job.uri))
        }
        consider()
    }

    /// Removes the files of a cancelled job. The worker may still write for a moment; those files are removed when the job is
    /// repeated.
    func removeFiles(of id: String) {
        guard let parts else { return }
        writing.add { [sources] in
            _ = try? await sources.inBlockingPool { () async throws(SourceFault) in parts.keeper.removeFiles(of: id) }
        }
    }

    /// Ends the worker's own work for a cancelled job.
    func endAtWorker(_ job: GenerationJob) {
        guard job.state == .cancelled, let memory = job.memory, let worker = workers.named(job.worker)?.worker else { return }
        cancelled.end(job.id, memory, at: worker)
    }

    func forget(_ id: String) {
        guard step(id, .forgotten) else { return }
        writing.add { [weak self] in await self?.keepOrWait(id) }
    }

    func end(_ id: String) {
        guard let task = running.removeValue(forKey: id) else { return }
        task.cancel()
        if ending.count >= Self.mostWaiting { ending.removeFirst() }
        ending.append(task)
    }
}
