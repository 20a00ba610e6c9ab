import BatonCore
package import BatonProtocol
package import BatonSeams

/// Creates, deletes and changes rooms together. The changes of one command to several rooms are one transaction, and all
/// clients see them at one revision.
@Loop
package final class RoomArranger {
    private let changes: RoomChanges
    private let players: RoomPlayers

    init(_ changes: RoomChanges, _ players: RoomPlayers) {
        self.changes = changes
        self.players = players
    }

    /// The effects of a command on rooms, before they happen.
    package struct Arrangement {
        struct Step {
            let live: LiveRoom
            var room: Room
            var outcome: Outcome
            /// The new output.
            var output: String?
            var isHeardElsewhere = false
        }

        /// Remaining rooms, in the order in which their players are told. An entry that moves between rooms follows this
        /// order in the journal too.
        var steps: [Step] = []
        /// The room that the command creates or restores; it gets its player when the plan is stored.
        package var added: LiveRoom?
        /// The room that the command deletes; its player is closed when the plan is stored.
        package var removed: LiveRoom?
        /// Deleted rooms that cannot be restored from now on.
        var forgotten: [RoomID] = []
        var data: (any ReplyContent)?
        /// The step whose queue the answer tells of.
        var told: Int?

        package init() {}

        var isNothing: Bool {
            added == nil && removed == nil
                && steps.allSatisfy { $0.outcome.touched.isEmpty && !$0.outcome.mustBeStored && !$0.isHeardElsewhere }
        }
    }

    /// Stores and publishes an arrangement, or changes nothing. `host` is the room of the command; its row carries the answer
    /// when nothing else is stored.
    package func arrange(
        _ plan: Arrangement, in host: LiveRoom, for id: Int, under key: Ledger.Key?
    ) throws(ProtocolFault) -> Answer {
        let ledger = changes.ledger
        let now = changes.clock.now
        var plan = plan
        for index in plan.steps.indices { plan.steps[index].room.noteCurrent(unlike: plan.steps[index].live.room.queue.current, at: now) }
        do throws(JournalFault) {
            let revision = plan.isNothing ? ledger.revision : try ledger.upcomingRevision()
            var reply = Reply(id: id, plan.isNothing ? .noop(why: .same) : .applied(), revision: revision, data: plan.data)
            if let step = plan.told.map({ plan.steps[$0] }) {
                reply = Reply(id: id, step.outcome, revision: revision, queue: step.room.queue)
            }
            var rows = plan.isNothing ? [] : plan.changes(at: now, revision)
            if let key {
                if rows.isEmpty { rows = [changes.unwritten(of: host.isPrivate ? changes.rooms.first : host)] }
                rows[rows.count - 1].answer = ledger.stored(reply, under: key, of: plan.told.map { plan.steps[$0].room.id })
            }
            if !rows.isEmpty { try ledger.store(rows) }
            if !plan.isNothing { carryOut(plan, at: revision) }
            let ordered = plan.steps.filter { !$0.outcome.orders.isEmpty }.suffix(2).map { (room: $0.room.id, orders: $0.outcome.orders) }
            changes.showTrouble()
            guard let last = ordered.last else { return Answer(reply) }
            return Answer(reply, orders: last.orders, in: last.room, after: ordered.count > 1 ? ordered[0] : nil)
        } catch {
            changes.showTrouble()
            throw ProtocolFault(.unavailable, error.sentence)
        }
    }

    /// Applies a plan that is stored.
    private func carryOut(_ plan: Arrangement, at revision: Int) {
        let publisher = changes.publisher
        for step in plan.steps {
            step.live.log.note(step.outcome.changes, to: step.room.queue.revision)
            step.live.take(step.room, touched: step.outcome.touched)
            step.live.isUnwritten = false
            step.live.isQueueUnwritten = false
            guard step.isHeardElsewhere else { continue }
            step.live.output = step.output
            players.give(to: step.live)
        }
        for id in plan.forgotten { changes.rooms.forget(id) }
        if let removed = plan.removed { takeAway(removed) }
        if let added = plan.added {
            changes.rooms.add(added)
            players.give(to: added)
            publisher.open(added.room.id, of: added.owner, at: revision)
            publisher.show([publisher.draft(added.room.sections(.all), of: added.room.id)], at: revision)
        }
        for step in plan.steps {
            let seen = step.outcome.touched.union(step.isHeardElsewhere ? [.room] : [])
            publisher.show([publisher.draft(step.room.sections(seen), of: step.room.id)], at: revision)
            publisher.show([publisher.draft(changes.sections.sections(seen, of: step.live, as: step.room), of: nil)], at: revision)
        }
        let hub = plan.added != nil || plan.removed != nil ? [publisher.draft(changes.sections.sections(.room), of: nil)] : []
        // A client that follows a deleted room should not wait for its pace.
        publisher.show(hub, at: revision, isUrgent: true)
    }

    private func takeAway(_ live: LiveRoom) {
        if live.isPrivate {
            changes.rooms.remove(live)
        } else {
            let row = RoomRow(live.room, output: live.output, at: changes.clock.now)
            changes.rooms.remove(live, keeping: RecoveredRoom(room: row, queue: live.room.queue))
        }
        changes.publisher.close(live.id)
        live.leave()
        players.takeFrom(live)
    }
}

extension RoomArranger.Arrangement {
    @Loop
    fileprivate func changes(at now: Moment, _ revision: Int) -> [Change] {
        // An entry from a private room is new to the journal.
        var changes = steps.filter { !$0.live.isPrivate }.map { step in
            let room = step.live.stored(as: step.room)
            let outcome = step.live.isJoined ? Outcome() : step.outcome
            let queue = QueueStep(outcome, in: room, whole: step.live.isQueueUnwritten)
            return Change(room: RoomRow(room, output: step.output, at: now), queue: queue, revision: revision)
        }
        changes += forgotten.map { Change(forgetting: $0, revision: revision) }
        if let added, !added.isPrivate {
            changes.append(Change(room: RoomRow(added.room, output: added.output, at: now), revision: revision))
        }
        if let removed, !removed.isPrivate {
            // Unwritten changes of a removed room are stored with its removal.
            let queue = QueueStep(Outcome(), in: removed.room, whole: removed.isQueueUnwritten)
            changes.append(Change(room: RoomRow(removed.room, output: removed.output, at: now), queue: queue, revision: revision))
            changes.append(Change(deleting: removed.room.id, revision: revision))
        }
        return changes
    }
}
