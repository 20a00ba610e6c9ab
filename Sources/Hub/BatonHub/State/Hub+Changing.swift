package import BatonCore
import BatonProtocol
import BatonSeams

/// How anything in the hub changes: a room decides, the journal keeps, the board shows; and what is
/// left of it once the answer has gone.
extension Hub {
    /// Which command a change answers.
    struct Key {
        let device: String
        let key: String
        let hash: UInt64

        func keeping(_ answer: Answer) -> KeptAnswer {
            KeptAnswer(device: device, key: key, hash: hash, answer: JSONWriter.bytes { answer.encode(into: &$0) })
        }
    }

    struct Effect {
        var reply: Reply
        var orders: [PlayerOrder]
    }

    /// Lets a room decide, keeps what must be kept, and shows the result; or leaves everything as
    /// it was.
    func change(
        _ live: LiveRoom, for id: Int = 0, keeping key: Key? = nil,
        _ decide: (inout Room, inout EntryNumbers, Moment) throws(Refusal) -> Outcome
    ) throws(ProtocolFault) -> Effect {
        if live.isGone { throw ProtocolFault(noRoom: live.room.id) }
        let now = now
        var room = live.room
        let outcome: Outcome
        do { outcome = try decide(&room, &ledger.numbers, now) } catch { throw ProtocolFault(error) }
        room.noteCurrent(unlike: live.room.queue, at: now)
        let drafts = [
            published.draft(room.sections(outcome.touched), of: room.id),
            published.draft(hubSections(outcome.touched, of: live, as: room), of: nil),
        ].filter { !$0.isEmpty }
        do {
            let revision = drafts.isEmpty ? ledger.revision : try ledger.upcomingRevision()
            let reply = Reply(id: id, outcome, revision: revision, queue: room.queue)
            let kept = key.map { $0.keeping(Answer(reply)) }
            if outcome.mustBeKept || kept != nil {
                let row = RoomRow(room, output: live.output, at: now)
                let step = QueueStep(outcome, in: room, whole: live.isQueueUnwritten)
                try ledger.keep([Change(room: row, queue: step, answer: kept, revision: revision)])
                live.isUnwritten = false
                live.isQueueUnwritten = false
            } else if !outcome.touched.isEmpty {
                live.isUnwritten = true
                armWriteBehind(.seconds(1))
            }
            live.log.note(outcome.changes, to: room.queue.revision)
            live.room = room
            for draft in drafts { published.show(draft, at: revision) }
            ledger.advance(to: revision)
            if ledger.trouble != shownTrouble { showTrouble() }
            if outcome.touched.contains(.now) || outcome.touched.contains(.timeline) { urgentRevision = revision }
            return Effect(reply: reply, orders: outcome.orders)
        } catch {
            live.summary.forget()
            showTrouble()
            throw ProtocolFault(.unavailable, error.sentence)
        }
    }

    /// What is left of a command once its answer has gone: the first slice of everyone else, the
    /// player, then the rest. A slice is a millisecond at most, which nobody hears; a player that is
    /// woken before it competes for the processor with a hundred watchers being told.
    func carryOut(_ answer: Answer) {
        if answer.reply.isSuccess { subscribers.tell() }
        if let before = answer.before { room(before.room)?.playerOrders.perform(before.orders) }
        if !answer.orders.isEmpty, let id = answer.room { room(id)?.playerOrders.perform(answer.orders) }
    }

    func hear(_ report: PlayerReport, in live: LiveRoom) {
        guard !isClosed else { return }
        if case .devices(let devices) = report { return note(devices) }
        do throws(ProtocolFault) {
            let effect = try change(live) { room, _, now in room.hear(report, at: now) }
            if !effect.orders.isEmpty { live.playerOrders.perform(effect.orders) }
        } catch {
            // The journal cannot keep what was heard; playing goes on and the picture follows.
            live.playerOrders.perform(changeUnkept(live) { room, now in room.hear(report, at: now) })
        }
        if case .began = report { noteBeginning(in: live) }
        subscribers.tell()
    }

    /// With a full disk the room still has to know where it is; what could not be kept is noted
    /// and written when there is room again.
    private func changeUnkept(_ live: LiveRoom, _ decide: (inout Room, Moment) -> Outcome) -> [PlayerOrder] {
        let before = live.room.queue
        let outcome = decide(&live.room, now)
        live.room.noteCurrent(unlike: before, at: now)
        live.isUnwritten = true
        if outcome.hasNewQueue { live.isQueueUnwritten = true }
        armWriteBehind(.seconds(5))
        refresh(live, outcome.touched)
        return outcome.orders
    }

    /// A change that no command asked for, and its orders. It happens also where it cannot be kept.
    func update(_ live: LiveRoom, _ decide: (inout Room, Moment) -> Outcome) -> [PlayerOrder] {
        do throws(ProtocolFault) {
            return try change(live) { room, _, now in decide(&room, now) }.orders
        } catch {
            return changeUnkept(live, decide)
        }
    }

    func show(_ devices: [AudioDevice]) {
        if devices != self.devices {
            self.devices = devices
            refresh(nil, [.room])
        }
        subscribers.tell()
    }

    /// Shows what has changed outside of any command.
    func refresh(_ live: LiveRoom?, _ touched: Facets) {
        var drafts = [published.draft(hubSections(touched, of: live, as: live?.room), of: nil)]
        if let live { drafts.append(published.draft(live.room.sections(touched), of: live.room.id)) }
        guard drafts.contains(where: { !$0.isEmpty }), let revision = try? ledger.upcomingRevision() else { return }
        for draft in drafts { published.show(draft, at: revision) }
        ledger.advance(to: revision)
    }

    /// Puts something into an empty queue, for somebody to press play.
    package func offer(_ items: [NewEntry]) {
        let live = defaultRoom
        guard live.room.queue.isEmpty, !items.isEmpty else { return }
        let effect = try? change(live) { room, numbers, now throws(Refusal) in
            try room.apply(.add(items, at: .end), at: now, numbers: &numbers)
        }
        if effect != nil { subscribers.tell() }
    }
}

extension Room {
    /// Another entry is current than in `before`, and has been since now.
    mutating func noteCurrent(unlike before: PlaybackQueue, at now: Moment) {
        if queue.current != before.current { currentSinceUs = now.us }
    }
}
