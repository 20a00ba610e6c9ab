import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The loops of scenes. Scenes are mixed one after the other, off the loop.
extension ClipService {
    func consider() {
        guard mixing == nil, !isClosed, !jobs.sources.hold.isOn, jobs.parts?.mixing != nil else { return }
        guard let session = sessions.first(where: { stuck[$0.id]?.session != $0 && canBeMixed($0) }) else { return }
        mixing = Task(executorPreference: Loop.jobs) { [weak self] in await self?.mixAndGoOn(session) }
    }

    /// True when the clips can be mixed. Clips of other workers must first be stored without loss.
    private func canBeMixed(_ session: ClipSession) -> Bool {
        guard let scene = session.unmixed else { return false }
        return session.active(scene).allSatisfy { jobs.queue[session.job($0)]?.piece?.sound.hasSuffix(".wav") != true }
    }

    private func mixAndGoOn(_ session: ClipSession) async {
        await mix(session)
        mixing = nil
        consider()
    }

    private func mix(_ session: ClipSession) async {
        guard let scene = session.unmixed, let parts = jobs.parts, let mixer = parts.mixing else { return }
        let clips = session.active(scene)
        // The store gets finished jobs later, and drops none of them.
        let sounds = clips.map { jobs.queue[session.job($0)]?.piece?.sound }
        let title = "Session \(session.name): \(session.scenes[scene].name)"
        do throws(SourceFault) {
            let durationMs = try await jobs.sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
                var files: [String] = []
                for (clip, known) in zip(clips, sounds) {
                    let id = session.job(clip)
                    let kept = try parts.keeper.job(id)?.piece?.sound
                    guard let sound = known ?? kept else {
                        throw SourceFault(.gone, "A clip is not there any more.")
                    }
                    files.append(try parts.keeper.file(sound, of: id).path)
                }
                let id = session.folder(scene)
                let folder = try parts.keeper.folder(of: id, isFresh: false)
                // The result's files have their final names by then.
                defer { parts.keeper.removeUnfinished(of: id) }
                return try await mixer.mix(LoopOrder(files: files, recipe: session.recipe, title: title, folder: folder))
            }
            guard !isClosed, let at = sessions.firstIndex(where: { $0.id == session.id }) else { return }
            sessions[at].mixed(scene, of: clips, durationMs: durationMs)
            try await save(sessions[at])
            if let at = sessions.firstIndex(where: { $0.id == session.id }), sessions[at].current == scene { tell(sessions[at]) }
        } catch {
            guard !isClosed else { return }
            log(.warning, "“\(title)” stays as it was: \(error.sentence)")
            stuck[session.id] = (session, error.sentence)
        }
    }

    /// Updates the session's entries with the scene. Players that have its next round ready replace it.
    func tell(_ session: ClipSession) {
        for live in rooms.all where live.room.queue.entries.contains(where: { $0.uri == session.uri }) {
            live.perform(changes.update(live) { room, now in room.describe(session.uri, session.tags, at: now) })
            if live.room.upcoming?.uri == session.uri { live.playerOrders?.kept(session.uri) }
        }
        changes.publisher.tell()
    }
}
