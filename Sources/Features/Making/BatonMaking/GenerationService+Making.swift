import BatonCore
import BatonKernel
import BatonSeams

/// Starting jobs, and handling the reports of their workers.
extension GenerationService {
    /// Starts every job that can start, and schedules the next try of offline jobs.
    func consider() {
        guard !isClosed, !sources.hold.isOn, let parts else { return }
        let nowUs = clock.nowUs
        var busy = Set(running.keys.compactMap { jobs[$0]?.worker })
        var dueUs: Int64?
        for id in order {
            guard let job = jobs[id], !job.state.isOver, job.state != .approval, running[id] == nil, !busy.contains(job.worker),
                !unsettled.contains(id)
            else { continue }
            if let retry = retryUs[id], retry > nowUs {
                dueUs = min(dueUs ?? retry, retry)
                continue
            }
            guard let worker = workers.named(job.worker)?.worker else {
                wait(for: id, "There is no worker called “\(job.worker)” any more. Add it again, or cancel the job.")
                continue
            }
            busy.insert(job.worker)
            running[id] = Task(executorPreference: Loop.jobs) { [weak self] in await self?.make(id, worker, parts.keeper) }
        }
        retryAlarm?.cancel()
        retryAlarm = dueUs.map { due in
            clock.after(.microseconds(max(10_000, due - nowUs))) { [weak self] in
                self?.retryAlarm = nil
                self?.consider()
            }
        }
    }

    private func wait(for id: String, _ sentence: String) {
        retryUs[id] = clock.nowUs + Self.retryUs * 12
        _ = step(id, .away(sentence))
    }

    /// Retries the jobs that waited for a worker.
    func workersChanged() {
        for job in jobs.values where job.state == .offline { retryUs[job.id] = nil }
        consider()
    }

    /// Retries a waiting job at once.
    func tryAgain(_ id: String) {
        retryUs[id] = nil
        consider()
    }

    private func make(_ id: String, _ worker: any GenerationWorker, _ keeper: any JobKeeper) async {
        _ = step(id, .begun)
        guard let job = jobs[id] else { return }
        do throws(SourceFault) {
            let note: @Sendable (WorkerNote) async throws(SourceFault) -> Void = { [weak self] note async throws(SourceFault) in
                try await self?.hear(note, of: id)
            }
            let session = clips?.session(of: job)
            // Files of workers are large, so this has a lower priority than commands.
            let piece = try await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
                let folder = try keeper.folder(of: id, isFresh: job.memory == nil)
                return try await worker.make(
                    GenerationOrder(
                        id: id, request: job.request, memory: job.memory, folder: folder, author: job.author, session: session), note: note)
            }
            try await finish(id, piece)
        } catch {
            await failed(id, error)
        }
        // A task that was told to end is not in the list any more.
        if running[id] != nil, !Task.isCancelled { running[id] = nil }
        consider()
    }

    private func hear(_ note: WorkerNote, of id: String) async throws(SourceFault) {
        // The task was told to end, and the job may have been started again.
        if Task.isCancelled { throw .cancelled }
        if let job = jobs[id] { workers.note(job.worker, nil) }
        switch note {
        case .accepted: _ = step(id, .accepted)
        case .progress(let percent, let message): _ = step(id, .progress(percent, message: message))
        case .fetching: _ = step(id, .fetching)
        case .session(let session): try await clips?.heard(session, of: id)
        case .remembers(let memory): if step(id, .remembers(memory)) { try await keep(id) }
        }
    }

    /// Finishes a job. The store has the piece before rooms are told. When it cannot be stored, the job is not finished.
    private func finish(_ id: String, _ piece: GeneratedPiece) async throws(SourceFault) {
        guard !Task.isCancelled, let before = jobs[id], step(id, .finished(piece)) else { return }
        do throws(SourceFault) { try await keep(id) } catch {
            undo(to: before)
            throw error
        }
        retryUs[id] = nil
        guard let job = jobs[id] else { return }
        log(.debug, "“\(job.title)” is ready.")
        queues.ready(job)
        publisher.tell()
        if !storeSoon(job) { makeRoom() }
    }

    private func failed(_ id: String, _ fault: SourceFault) async {
        guard !isClosed, !Task.isCancelled, let job = jobs[id] else { return }
        if let pauseUs = Self.pauseUs(after: fault) {
            if fault.code == .unavailable { workers.note(job.worker, fault) }
            if job.state != .offline { log(.warning, "“\(job.title)” waits: \(fault.sentence)") }
            retryUs[id] = clock.nowUs + pauseUs
            _ = step(id, .away(fault.sentence))
            return
        }
        guard step(id, .failed(fault.sentence)) else { return }
        log(.warning, "“\(job.title)” could not be made: \(fault.sentence)")
        queues.noted(job.uri, fault.sentence)
        do throws(SourceFault) { try await keep(id) } catch { keepLater(id) }
        removeFiles(of: id)
    }

    /// The pause before a job is tried again; `nil` when another try would fail in the same way.
    private static func pauseUs(after fault: SourceFault) -> Int64? {
        switch fault.code {
        case .unavailable: fault.retryAfterMs.map { Int64($0) * 1_000 } ?? retryUs
        // The worker gave up while its task goes on. Without a pause it would be asked constantly.
        case .cancelled: retryUs
        // The disk is full.
        case .quota: retryUs * 12
        default: nil
        }
    }
}
