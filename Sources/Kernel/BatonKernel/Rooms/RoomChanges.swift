package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Changes rooms: the room decides, the journal stores the change, and sections are published. The caller tells the clients
/// and sends orders to the player after the answer.
@Loop
package final class RoomChanges {
    let rooms: RoomList
    /// The store of every change. Features read its revision and store answers.
    package let ledger: Ledger
    /// The published state. Features publish their own sections and tell clients after the answer.
    package let publisher: StatePublisher
    let sections: HubSections
    /// The clocks by which rooms decide.
    package let clock: HubClock
    // Values that may be lost in a crash are written later; see `RoomChanges+Keeping.swift`.
    var writeAlarm: (any Alarm)?
    var writeDueUs: Microseconds = 0
    private var shownTrouble: JournalFault?
    private(set) var isClosed = false

    init(rooms: RoomList, ledger: Ledger, publisher: StatePublisher, sections: HubSections, clock: HubClock) {
        self.rooms = rooms
        self.ledger = ledger
        self.publisher = publisher
        self.sections = sections
        self.clock = clock
    }

    /// Lets a room decide, stores the change, and publishes it; or changes nothing. The player's orders are in the answer.
    package func change(
        _ live: LiveRoom, for id: Int = 0, under key: Ledger.Key? = nil, answering data: (any ReplyContent)? = nil,
        _ decide: (inout Room, inout EntryNumbers, Moment) throws(Refusal) -> Outcome
    ) throws(ProtocolFault) -> Answer {
        if live.isGone { throw ProtocolFault(noRoom: live.id) }
        let now = clock.now
        // This is the only copy of the room, since copies are expensive. It decides, and then replaces the room.
        var decided = live.room
        let outcome: Outcome
        var numbers = ledger.numbers
        do {
            defer { ledger.numbers = numbers }
            outcome = try decide(&decided, &numbers, now)
        } catch {
            throw ProtocolFault(error)
        }
        decided.noteCurrent(unlike: live.room.queue.current, at: now)
        let room = consume decided
        let ofRoom = publisher.draft(room.sections(outcome.touched), of: room.id)
        let ofHub = publisher.draft(sections.sections(outcome.touched, of: live, as: room), of: nil)
        do {
            let revision = ofRoom.isEmpty && ofHub.isEmpty ? ledger.revision : try ledger.upcomingRevision()
            let reply = Reply(id: id, outcome, revision: revision, queue: room.queue, data: data)
            var kept: StoredAnswer?
            if let key { kept = ledger.stored(reply, under: key, of: live.id) }
            let isJoined = live.isJoined
            if live.isPrivate {
                try store(kept, of: outcome)
            } else if (isJoined ? outcome.isOwners : outcome.mustBeStored) || key != nil {
                let row = live.row(as: room, at: now)
                let step = isJoined ? unwritten(of: live).queue : QueueStep(outcome, in: room, whole: live.isQueueUnwritten)
                try ledger.store([Change(room: row, queue: step, answer: kept, revision: revision)])
                live.isUnwritten = false
                live.isQueueUnwritten = false
            } else if !outcome.touched.isEmpty {
                live.isUnwritten = true
                armWriteBehind(afterMs: 1000)
            }
            // The position of a new current entry is written soon.
            if room.queue.current != live.room.queue.current, !live.isPrivate { armWriteBehind(afterMs: 1000) }
            live.log.note(outcome.changes, to: room.queue.revision)
            live.take(consume room, touched: outcome.touched)
            let isUrgent = outcome.touched.contains(.now) || outcome.touched.contains(.timeline)
            publisher.show(ofRoom, and: ofHub, at: revision, isUrgent: isUrgent)
            showTrouble()
            return Answer(consume reply, orders: outcome.orders, in: live.id)
        } catch {
            // The summary has seen the change that failed, so it is made again.
            _ = live.summary.look(at: live.room, output: live.output, .all, isOnly: rooms.shared.count == 1)
            showTrouble()
            throw ProtocolFault(.unavailable, error.sentence)
        }
    }

    /// Makes a change without a command, and returns its orders. It happens even when it cannot be stored.
    package func update(_ live: LiveRoom, _ decide: (inout Room, Moment) -> Outcome) -> [PlayerOrder] {
        do throws(ProtocolFault) {
            return try change(live) { room, _, now in decide(&room, now) }.orders
        } catch {
            return changeUnstored(live, decide)
        }
    }

    /// Applies a change that cannot be stored, since the room must know its state even with a full disk. It is written when
    /// there is space again.
    private func changeUnstored(_ live: LiveRoom, _ decide: (inout Room, Moment) -> Outcome) -> [PlayerOrder] {
        let before = live.room.queue.current
        var decided = live.room
        let outcome = decide(&decided, clock.now)
        live.room = decided
        // Parts that heard of it may have changed the room again.
        decided = live.room
        decided.noteCurrent(unlike: before, at: clock.now)
        live.room = decided
        if live.isPrivate {
            refresh(live, outcome.touched)
            return outcome.orders
        }
        live.isUnwritten = true
        if outcome.hasNewQueue, !live.isJoined { live.isQueueUnwritten = true }
        armWriteBehind(afterMs: 5000)
        refresh(live, outcome.touched)
        return outcome.orders
    }

    /// Publishes changes without a command.
    package func refresh(_ live: LiveRoom?, _ touched: Facets) {
        guard let live else {
            publisher.publish([publisher.draft(sections.sections(touched), of: nil)])
            return
        }
        let room = live.room
        publisher.publish([
            publisher.draft(sections.sections(touched, of: live, as: room), of: nil),
            publisher.draft(room.sections(touched), of: room.id),
        ])
    }

    /// Publishes whether the journal can be written, when that changes.
    func showTrouble() {
        guard ledger.trouble != shownTrouble else { return }
        shownTrouble = ledger.trouble
        refresh(nil, [.room])
        publisher.tell()
    }

    /// Writes the delayed changes. Later ones are not written.
    func close() {
        isClosed = true
        writeAlarm?.cancel()
        _ = ledger.writeBehind(rooms.shared.map(unwritten(of:)))
    }
}

extension Room {
    /// Notes the time when the current entry has changed.
    mutating func noteCurrent(unlike before: EntryID?, at now: Moment) {
        if queue.current != before { currentSinceUs = now.us }
    }
}
