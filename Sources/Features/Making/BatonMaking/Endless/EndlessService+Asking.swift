import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Making a piece for a room: its job, its entry, and the note in the plan.
extension EndlessService {
    func ask(for number: Int, _ isBuiltIn: Bool, _ live: LiveRoom) {
        let room = live.room.id
        busy[room] = Task(executorPreference: Loop.jobs) { [weak self] in await self?.make(number, isBuiltIn, live) }
    }

    /// Makes a piece. The job is stored first, then its entry is placed, then the plan is updated. A hub that ends between
    /// two of these steps finds the job by its number.
    private func make(_ number: Int, _ isBuiltIn: Bool, _ live: LiveRoom) async {
        let room = live.room.id
        guard var plan = plans[room] else { return busy[room] = nil }
        do throws(SourceFault) {
            let job = try job(number, isBuiltIn, plan, live)
            plan.ask(for: number, recipe: BuiltInPieces.outcome(of: job.request))
            plans[room] = plan
            try await jobs.add(job, once: nil)
            guard plans[room]?.run == plan.run, !live.isGone else { throw .cancelled }
            try place(job, plan, live)
            trouble[room] = nil
            jobs.begin(job.id)
            if let newest = plans[room] { try await save(newest.text, room) }
        } catch {
            // This includes a plan that was turned off meanwhile, since a job without an entry is not wanted.
            try? await drop(plan.id(number))
            guard error.code != .cancelled else { return busy[room] = nil }
            log(.warning, "\(live.room.name) gets no next piece: \(error.sentence)")
            trouble[room] = error.sentence
        }
        busy[room] = nil
        show(room)
        // A piece that could not be ordered waits for the next change of a room or job.
        if trouble[room] == nil { lookSoon() }
    }

    private func job(_ number: Int, _ isBuiltIn: Bool, _ plan: EndlessPlan, _ live: LiveRoom) throws(SourceFault) -> GenerationJob {
        let parts = try jobs.opened()
        let named = isBuiltIn ? nil : plan.wish.worker.flatMap { jobs.workers.named($0)?.worker }
        guard let worker = named ?? jobs.workers.builtIn ?? (try? jobs.worker(plan.wish.worker)) else { throw Self.noComposer }
        var request: GenerationRequest
        if worker.about.kind == .builtIn {
            request = BuiltInPieces.next(plan.wish, after: plan.recipe, seed: parts.random())
            request.steering = plan.steering(of: number)
        } else {
            request = GenerationRequest(
                prompt: plan.wish.prompt, durationS: plan.wish.durationS, seed: String(parts.random() >> 12), model: plan.wish.model,
                cfg: plan.wish.cfg)
        }
        // The first piece was ordered by a person; later ones never start in a room that a person has stopped.
        let isFirst = number == 1 && !live.isPlaying
        return GenerationJob(
            id: plan.id(number), worker: worker.name, request: request, author: plan.author, startedMs: clock.wallMs(), room: live.room.id,
            playsWhenReady: isFirst)
    }

    static let noComposer = SourceFault(.unsupported, "This hub has no composer of its own: baton-composer is not installed beside batond.")

    func place(_ job: GenerationJob, _ plan: EndlessPlan, _ live: LiveRoom) throws(SourceFault) {
        do throws(ProtocolFault) {
            let effect = try changes.change(live) { room, numbers, now throws(Refusal) in
                try room.append(
                    NewEntry(uri: job.uri, tags: job.tags), retiring: { plan.number(of: $0) != nil }, at: now, numbers: &numbers)
            }
            live.perform(effect.orders)
            changes.publisher.tell()
        } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
    }

    func drop(_ id: String) async throws(SourceFault) { _ = try await jobs.cancel(id) }

    /// Cancels a piece and removes its entry. Another piece replaces it.
    func drop(_ id: String, _ live: LiveRoom) {
        let uri = ItemURI("\(GenerationJob.scheme):\(id)")
        let entries = live.room.queue.entries.filter { $0.uri == uri }.map(\.id)
        live.perform(changes.update(live) { room, now in room.retire(entries, at: now) })
        changes.publisher.tell()
        writing.add { [jobs] in await jobs.withdraw(id) }
    }
}
