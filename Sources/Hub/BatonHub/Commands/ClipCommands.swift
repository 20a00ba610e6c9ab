import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about sessions of clips.
@Loop
final class ClipCommands {
    private let service: ClipService
    private let changes: RoomChanges
    private let settling: Settling

    init(_ service: ClipService, _ changes: RoomChanges, _ settling: Settling) {
        self.service = service
        self.changes = changes
        self.settling = settling
    }

    func handle(_ request: ClipRequest, _ visit: Visit) -> Handling {
        settling.working(visit.id) { [self] () async throws(ProtocolFault) in
            do throws(SourceFault) { return try await answer(request, visit) } catch { throw ProtocolFault(error, at: nil) }
        }
    }

    /// A line such as `/bass deep`: a clip of the session that is meant, in the scene that is chosen.
    func add(_ layer: PromptLine.Layer, _ line: PromptLine, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        guard visit.identity.role != .guest else { throw ProtocolFault(.forbidden, "Guests change no sessions of clips.") }
        do throws(SourceFault) {
            let session = service.sessions[try service.index(nil)]
            let wish = ClipWish(layer, scene: session.current, bars: ClipSession.usualBars)
            return try await add(wish, line, to: session.id, visit)
        } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    private func add(_ wish: ClipWish, _ line: PromptLine, to session: String?, _ visit: Visit) async throws(SourceFault) -> Answer {
        let job = try await service.add(wish, line, to: session, author: visit.identity, once: try once(visit))
        return try kept(.startedJob(StartedJob(job: job.id, uri: job.uri)), visit)
    }

    private func answer(_ request: ClipRequest, _ visit: Visit) async throws(SourceFault) -> Answer {
        switch request {
        case .start(let text, let name, let worker):
            let session = try await service.start(
                try words(text, or: "Say what the session should be like."), name: name, by: worker, author: visit.identity.author,
                once: try once(visit))
            return try kept(.clips(ClipSessions([row(session)])), visit)
        case .list(let id):
            if let id { _ = try service.index(id) } else { try service.check() }
            let rows = service.sessions.sorted { $0.usedMs > $1.usedMs }.filter { id == nil || $0.id == id }.map(row)
            return found(.clips(ClipSessions(rows)), visit)
        case .add(let place, let bars, let text):
            return try await add(ClipWish(place.layer, scene: place.scene - 1, bars: bars), try line(text ?? ""), to: place.session, visit)
        case .remove(let place):
            return changed(try await service.remove(place.layer, scene: place.scene - 1, of: place.session), visit)
        case .turn(let place, let isOn):
            return changed(try await service.turn(place.layer, scene: place.scene - 1, on: isOn, of: place.session), visit)
        case .resume(let id):
            try await service.resume(id)
            return changed(true, visit)
        case .scene(let id, let scene, let name): return changed(try await service.set(scene - 1, name: name, of: id), visit)
        }
    }

    private func words(_ text: String, or sentence: String) throws(SourceFault) -> String {
        let line = try line(text)
        guard !line.prompt.isEmpty else { throw SourceFault(.badRequest, sentence) }
        return line.prompt
    }

    private func line(_ text: String) throws(SourceFault) -> PromptLine {
        guard !text.isEmpty else { return PromptLine() }
        let line = PromptLine.read(text)
        if let fault = line.faults.first { throw SourceFault(.badRequest, fault.sentence) }
        return line
    }

    private func row(_ session: ClipSession) -> ClipSessions.Row {
        let facts = BuiltInPieces.facts(of: session)
        return ClipSessions.Row(
            session: session.id, name: session.name, prompt: session.prompt, worker: session.worker, author: session.author,
            startedMs: session.startedMs, uri: session.uri, tempo: facts?.tempo, key: facts?.key, scene: session.current + 1,
            scenes: session.scenes.enumerated().map { number, scene in
                .init(name: scene.name, durationMs: scene.durationMs, sentence: service.trouble(number, of: session))
            },
            clips: session.clips.map { clip in
                .init(
                    layer: clip.layer, scene: clip.scene + 1, bars: clip.bars, job: session.job(clip.number),
                    state: JobState(name: service.state(of: clip, in: session).rawValue),
                    isHeard: session.scenes[clip.scene].mixed.contains(clip.number),
                    isOff: !clip.isOn)
            })
    }

    // MARK: Answers

    private func once(_ visit: Visit) throws(SourceFault) -> CommandKey {
        guard let once = visit.commandKey else { throw SourceFault(.badRequest, "What counts twice needs a key.") }
        return once
    }

    private func found(_ data: ReplyData, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, .applied(), revision: changes.ledger.revision, data: data))
    }

    private func changed(_ isNew: Bool, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, isNew ? .applied() : .noop(why: .same), revision: changes.ledger.revision))
    }

    /// Nothing of the room changes; the answer is kept with its key.
    private func kept(_ data: ReplyData, _ visit: Visit) throws(SourceFault) -> Answer {
        do throws(ProtocolFault) {
            if let known = try KeptAnswers(ledger: changes.ledger).answer(to: visit) { return known }
            return Answer(try changes.change(visit.live, for: visit.id, keeping: visit.key, answering: data) { _, _, _ in Outcome() }.reply)
        } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
    }
}
