package import BatonCore
import BatonKernel
package import BatonSeams

/// How steps of jobs get into the store, and what becomes of those that cannot, as while the disk is full.
extension GenerationService {
    /// The job is again as it was before a step that could not be kept.
    func undo(to before: GenerationJob) {
        jobs[before.id] = before
        showSoon()
    }

    /// One write after the other, each with the newest state of its job.
    package func keep(_ id: String, once: CommandKey? = nil) async throws(SourceFault) {
        try await inTurn { [weak self] () async throws(SourceFault) in try await self?.put(id, once: once) }
    }

    /// Takes a step that a person has asked for, once it is kept. Where it cannot be, the job is as before.
    package func keep(_ id: String, taking event: GenerationJob.Event) async throws(SourceFault) -> Bool {
        guard let before = jobs[id], !unsettled.contains(id), step(id, event) else { return false }
        unsettled.insert(id)
        defer { unsettled.remove(id) }
        do throws(SourceFault) { try await keep(id) } catch {
            undo(to: before)
            unsettled.remove(id)
            // Its worker may have reported meanwhile, and was not heard.
            consider()
            throw error
        }
        return true
    }

    /// What has happened to a job stays so when it cannot be kept, and is kept when there is room.
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

    /// Called in turn.
    func keepOrWait(_ id: String) async {
        do throws(SourceFault) { try await put(id, once: nil) } catch { keepLater(id) }
    }

    func inTurn<Found: Sendable>(_ body: @escaping @Loop () async throws(SourceFault) -> Found) async throws(SourceFault) -> Found {
        try await writing.inTurn(body)
    }

    package func put(_ id: String, once: CommandKey?) async throws(SourceFault) {
        guard let parts = parts, let job = jobs[id] else { return }
        try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.put(job, once: once) }
        if kept.note(job) { sources.events.send(.madePiecesChanged) }
    }
}
