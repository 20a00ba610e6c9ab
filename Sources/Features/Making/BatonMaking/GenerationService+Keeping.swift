import BatonCore
import BatonKernel
import BatonSeams

/// Storing the steps of jobs, and handling steps that cannot be stored, as with a full disk.
extension GenerationService {
    /// Restores a job's state before a step that could not be stored.
    func undo(to before: GenerationJob) {
        jobs[before.id] = before
        showSoon()
    }

    /// Writes a job. Writes run one after the other, each with the newest state.
    func keep(_ id: String, once: CommandKey? = nil) async throws(SourceFault) {
        try await inTurn { [weak self] () async throws(SourceFault) in try await self?.put(id, once: once) }
    }

    /// Takes and stores a step that a person asked for. When it cannot be stored, the job stays as before.
    func keep(_ id: String, taking event: GenerationJob.Event) async throws(SourceFault) -> Bool {
        guard let before = jobs[id], !unsettled.contains(id), step(id, event) else { return false }
        unsettled.insert(id)
        defer { unsettled.remove(id) }
        do throws(SourceFault) { try await keep(id) } catch {
            undo(to: before)
            unsettled.remove(id)
            // The worker may have reported meanwhile, and the report was ignored.
            consider()
            throw error
        }
        return true
    }

    /// Schedules another write for a job. Its step stays in memory, since it has happened.
    func keepLater(_ id: String) {
        unkept.insert(id)
        guard keepAlarm == nil, !isClosed else { return }
        keepAlarm = clock.after(.microseconds(Self.retryUs * 12)) { [weak self] in self?.keepAgain() }
    }

    private func keepAgain() {
        keepAlarm = nil
        let due = unkept
        unkept = []
        for id in due { writing.add { [weak self] in await self?.keepOrWait(id) } }
    }

    /// Writes a job, or schedules it for later. It is called in turn.
    func keepOrWait(_ id: String) async {
        do throws(SourceFault) { try await put(id, once: nil) } catch { keepLater(id) }
    }

    func inTurn<Found: Sendable>(_ body: @escaping @Loop () async throws(SourceFault) -> Found) async throws(SourceFault) -> Found {
        try await writing.inTurn(body)
    }

    func put(_ id: String, once: CommandKey?) async throws(SourceFault) {
        guard let parts = parts, let job = jobs[id] else { return }
        try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.put(job, once: once) }
        if kept.note(job) { sources.events.send(.madePiecesChanged) }
    }
}
