import BatonCore
import BatonProtocol
import BatonSeams

/// How a room changes: the room decides, the journal keeps, the sections are published. Telling the clients and giving
/// orders to the player are left to the caller, who does both after the answer was sent.
@Loop
final class RoomChanges {
    let rooms: RoomList
    let ledger: Ledger
    let publisher: StatePublisher
    let sections: HubSections
    let clock: HubClock
    // Values that may be lost in a crash are written later; see `RoomChanges+Keeping.swift`.
    var writeAlarm: (any Alarm)?
    var writeDueUs: Int64 = 0
    private var shownTrouble: JournalFault?
    private(set) var isClosed = false

    init(_ rooms: RoomList, _ ledger: Ledger, _ publisher: StatePublisher, _ sections: HubSections, _ clock: HubClock) {
        self.rooms = rooms
        self.ledger = ledger
        self.publisher = publisher
        self.sections = sections
        self.clock = clock
    }

    struct Effect {
        var reply: Reply
        var orders: [PlayerOrder]
    }

    /// Lets a room decide, keeps what must be kept, and publishes the result; or leaves everything as it was.
    func change(
        _ live: LiveRoom, for id: Int = 0, keeping key: Ledger.Key? = nil, answering data: ReplyData? = nil,
        _ decide: (inout Room, inout EntryNumbers, Moment) throws(Refusal) -> Outcome
    ) throws(ProtocolFault) -> Effect {
        if live.isGone { throw ProtocolFault(noRoom: live.room.id) }
        let now = clock.now
        // The only copy of the room, since a copy is dear: it decides, and the room becomes it.
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
            let kept = key.map { ledger.kept(reply, under: $0) }
            let isJoined = live.isJoined
            if live.isPrivate {
                try keep(kept, of: outcome)
            } else if (isJoined ? outcome.isOwners : outcome.mustBeKept) || kept != nil {
                let row = live.row(as: room, at: now)
                let step = isJoined ? unwritten(of: live).queue : QueueStep(outcome, in: room, whole: live.isQueueUnwritten)
                try ledger.keep([Change(room: row, queue: step, answer: kept, revision: revision)])
                live.isUnwritten = false
                live.isQueueUnwritten = false
            } else if !outcome.touched.isEmpty {
                live.isUnwritten = true
                armWriteBehind(.seconds(1))
            }
            // The position in an entry that has just become the current one.
            if room.queue.current != live.room.queue.current, !live.isPrivate { armWriteBehind(.seconds(1)) }
            live.log.note(outcome.changes, to: room.queue.revision)
            live.take(consume room, touched: outcome.touched)
            let isUrgent = outcome.touched.contains(.now) || outcome.touched.contains(.timeline)
            publisher.show(ofRoom, and: ofHub, at: revision, isUrgent: isUrgent)
            showTrouble()
            return Effect(reply: reply, orders: outcome.orders)
        } catch {
            // The summary saw the room as it would have become.
            _ = live.summary.look(at: live.room, output: live.output, .all, isOnly: rooms.shared.count == 1)
            showTrouble()
            throw ProtocolFault(.unavailable, error.sentence)
        }
    }

    /// A change that no command asked for, and its orders. It happens also where it cannot be kept.
    func update(_ live: LiveRoom, _ decide: (inout Room, Moment) -> Outcome) -> [PlayerOrder] {
        do throws(ProtocolFault) {
            return try change(live) { room, _, now in decide(&room, now) }.orders
        } catch {
            return changeUnkept(live, decide)
        }
    }

    /// With a full disk the room still has to know where it is. The change that could not be kept is noted, and written
    /// when there is space again.
    private func changeUnkept(_ live: LiveRoom, _ decide: (inout Room, Moment) -> Outcome) -> [PlayerOrder] {
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
        armWriteBehind(.seconds(5))
        refresh(live, outcome.touched)
        return outcome.orders
    }

    /// Publishes what has changed outside of any command.
    func refresh(_ live: LiveRoom?, _ touched: Facets) {
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

    /// Whether the journal can be written is published when it changes.
    func showTrouble() {
        guard ledger.trouble != shownTrouble else { return }
        shownTrouble = ledger.trouble
        refresh(nil, [.room])
        publisher.tell()
    }

    /// Writes the changes that are still held back. Later ones are not written.
    func close() {
        isClosed = true
        writeAlarm?.cancel()
        _ = ledger.writeBehind(rooms.shared.map(unwritten(of:)))
    }
}

extension Room {
    /// Another entry is current than before, and has been since now.
    mutating func noteCurrent(unlike before: EntryID?, at now: Moment) {
        if queue.current != before { currentSinceUs = now.us }
    }
}
