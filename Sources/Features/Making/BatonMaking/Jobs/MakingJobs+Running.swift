import BatonCore
import BatonKernel
import BatonSeams

/// Starting jobs, handling the reports of their workers, and ending cancelled ones.
extension MakingJobs {
    /// Starts every job that can start, and schedules the next try of offline jobs.
    func consider() {
        guard !isClosed, !sources.hold.isOn, let parts else { return }
        let nowUs = clock.nowUs
        let due = queue.turns(besides: turns.running, workers: Set(workers.all.map(\.name)), nowUs: nowUs)
        for job in due.starting {
            guard let worker = workers.named(job.worker)?.worker else { continue }
            turns.begin(job.id) { [weak self] in await self?.make(job.id, by: worker, storage: parts.storage) }
        }
        for job in due.orphans {
            retry(job.id, atUs: nowUs + Self.retryUs * 12)
            _ = step(job.id, .away("There is no worker called “\(job.worker)” any more. Add it again, or cancel the job."))
        }
        turns.wake(atUs: due.dueUs) { [weak self] in self?.consider() }
    }

    private func make(_ id: String, by worker: any GenerationWorker, storage: any JobStorage) async {
        _ = step(id, .begun)
        guard let job = queue[id] else { return }
        do throws(SourceFault) {
            let note: @Sendable (WorkerNote) async throws(SourceFault) -> Void = { [weak self] note async throws(SourceFault) in
                try await self?.hear(note, of: id)
            }
            let session = observers.session(of: job)
            // Files of workers are large, so this has a lower priority than commands.
            let piece = try await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
                let folder = try storage.folder(of: id, isFresh: job.memory == nil)
                return try await worker.make(
                    GenerationOrder(
                        id: id, request: job.request, memory: job.memory, folder: folder, author: job.author, session: session), note: note)
            }
            try await finish(id, piece)
        } catch {
            await failed(id, error)
        }
        if !Task.isCancelled { turns.finished(id) }
        consider()
    }

    private func hear(_ note: WorkerNote, of id: String) async throws(SourceFault) {
        // The task was told to end, and the job may have been started again.
        if Task.isCancelled { throw .cancelled }
        if let job = queue[id] { workers.note(job.worker, nil) }
        switch note {
        case .accepted: _ = step(id, .accepted)
        case .progress(let percent, let message): _ = step(id, .progress(percent, message: message))
        case .fetching: _ = step(id, .fetching)
        case .session(let session): try await observers.agree(on: session, of: id)
        case .remembers(let memory): if step(id, .remembers(memory)) { try await store(id) }
        }
    }

    /// Finishes a job. The store has the piece before rooms are told. When it cannot be stored, the job is not finished.
    private func finish(_ id: String, _ piece: GeneratedPiece) async throws(SourceFault) {
        guard !Task.isCancelled, let before = queue[id], step(id, .finished(piece)) else { return }
        do throws(SourceFault) { try await store(id) } catch {
            undo(to: before)
            throw error
        }
        retry(id, atUs: nil)
        guard let job = queue[id] else { return }
        log(.debug, "“\(job.title)” is ready.")
        observers.tell(.made(job))
    }

    private func failed(_ id: String, _ fault: SourceFault) async {
        guard !isClosed, !Task.isCancelled, let job = queue[id] else { return }
        if let pauseUs = Self.pauseUs(after: fault) {
            if fault.code == .unavailable { workers.note(job.worker, fault) }
            if job.state != .offline { log(.warning, "“\(job.title)” waits: \(fault.sentence)") }
            retry(id, atUs: clock.nowUs + pauseUs)
            _ = step(id, .away(fault.sentence))
            return
        }
        guard step(id, .failed(fault.sentence)) else { return }
        log(.warning, "“\(job.title)” could not be made: \(fault.sentence)")
        observers.tell(.unmade(job, fault.sentence))
        do throws(SourceFault) { try await store(id) } catch { storeLater(id) }
        removeFiles(of: id)
    }

    /// The pause before a job is tried again; `nil` when another try would fail in the same way.
    private static func pauseUs(after fault: SourceFault) -> Microseconds? {
        switch fault.code {
        case .unavailable: fault.retryAfterMs.map { Microseconds($0) } ?? retryUs
        // The worker gave up while its task goes on. Without a pause it would be asked constantly.
        case .cancelled: retryUs
        // The disk is full.
        case .quota: retryUs * 12
        default: nil
        }
    }

    // MARK: Ending

    /// Cancels a job. False when it had ended.
    func cancel(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard queue[id] != nil else { throw Self.missing(id) }
        guard try await store(id, taking: .cancelled) else { return false }
        leave(id)
        return true
    }

    /// Cancels a job for the hub itself, even when the change cannot be stored.
    func withdraw(_ id: String) async { try? await writing.inTurn { [weak self] in await self?.cancelInTurn(id) } }

    /// Handles the removal of a job's last entry.
    func left(_ id: String) {
        guard let job = queue[id], !job.state.isOver else { return }
        log(.debug, "“\(job.title)” is not made: its entry was taken out of the queue.")
        writing.add { [weak self] in await self?.cancelInTurn(id) }
    }

    private func cancelInTurn(_ id: String) async {
        guard step(id, .cancelled) else { return }
        await storeOrWait(id)
        leave(id)
    }

    /// Ends all work for a cancelled job.
    private func leave(_ id: String) {
        turns.end(id)
        removeFiles(of: id)
        if let job = queue[id], job.state == .cancelled { observers.tell(.unmade(job, queue.unmade(job.uri))) }
        consider()
    }

    /// Notes that the worker holds nothing of a cancelled job any more.
    func forget(_ id: String) {
        guard step(id, .forgotten) else { return }
        writing.add { [weak self] in await self?.storeOrWait(id) }
    }

    /// Removes the files of a cancelled job. The worker may still write for a moment; those files are removed when the job is
    /// repeated.
    func removeFiles(of id: String) {
        guard let parts else { return }
        writing.add { [sources] in
            _ = try? await sources.inBlockingPool { () async throws(SourceFault) in parts.storage.removeFiles(of: id) }
        }
    }
}
