import BatonCore
import BatonProtocol
import BatonSeams

/// Rooms that come, go and change together: what a command makes of several of them is one
/// transaction, and is seen by everyone at one revision.
extension Hub {
    /// What a command comes to, before any of it has happened.
    struct Arrangement {
        struct Step {
            let live: LiveRoom
            var room: Room
            var outcome: Outcome
            /// Where it is heard from now on.
            var output: String?
            var isHeardElsewhere = false
        }

        /// Rooms that stay, in the order in which their players are told. What one loses and another
        /// takes over stands in this order in the journal too.
        var steps: [Step] = []
        var added: LiveRoom?
        var removed: LiveRoom?
        var data: [UInt8]?
        /// The step whose queue the answer tells of.
        var told: Int?

        var isNothing: Bool {
            added == nil && removed == nil
                && steps.allSatisfy { $0.outcome.touched.isEmpty && !$0.outcome.mustBeKept && !$0.isHeardElsewhere }
        }
    }

    /// Keeps and shows an arrangement, or leaves everything as it was. `host` is the room the command
    /// was sent to; it carries the answer where nothing else is to be kept.
    func arrange(
        _ plan: Arrangement, in host: LiveRoom, for id: Int, keeping key: Key?
    ) throws(ProtocolFault) -> Answer {
        let now = now
        var plan = plan
        for index in plan.steps.indices { plan.steps[index].room.noteCurrent(unlike: plan.steps[index].live.room.queue, at: now) }
        do throws(JournalFault) {
            let revision = plan.isNothing ? ledger.revision : try ledger.upcomingRevision()
            var answer = Answer(Reply(id: id, plan.isNothing ? .noop(why: .same) : .applied(), revision: revision), data: plan.data)
            if let step = plan.told.map({ plan.steps[$0] }) {
                answer.reply = Reply(id: id, step.outcome, revision: revision, queue: step.room.queue)
            }
            var changes = plan.isNothing ? [] : plan.changes(at: now, revision)
            if let key {
                if changes.isEmpty { changes = [unwritten(of: host)] }
                changes[changes.count - 1].answer = key.keeping(answer)
            }
            if !changes.isEmpty { try ledger.keep(changes) }
            if !plan.isNothing { carryOut(plan, at: revision) }
            for step in plan.steps where !step.outcome.orders.isEmpty {
                if let earlier = answer.room { answer.before = (earlier, answer.orders) }
                (answer.room, answer.orders) = (step.room.id, step.outcome.orders)
            }
            if ledger.trouble != shownTrouble { showTrouble() }
            return answer
        } catch {
            showTrouble()
            throw ProtocolFault(.unavailable, error.sentence)
        }
    }

    /// It is kept; now it becomes so.
    private func carryOut(_ plan: Arrangement, at revision: Int) {
        for step in plan.steps {
            step.live.log.note(step.outcome.changes, to: step.room.queue.revision)
            step.live.room = step.room
            step.live.isUnwritten = false
            step.live.isQueueUnwritten = false
            guard step.isHeardElsewhere else { continue }
            step.live.output = step.output
            makePlayerOrders(of: step.live)
        }
        if let removed = plan.removed { takeAway(removed) }
        if let added = plan.added {
            rooms.append(added)
            makePlayerOrders(of: added)
            published.open(added.room.id, at: revision)
            published.show(published.draft(added.room.sections(.all), of: added.room.id), at: revision)
            _ = added.summary.look(at: added.room, output: added.output, .all)
        }
        for step in plan.steps {
            let seen = step.outcome.touched.union(step.isHeardElsewhere ? [.room] : [])
            published.show(published.draft(step.room.sections(seen), of: step.room.id), at: revision)
            published.show(published.draft(hubSections(seen, of: step.live, as: step.room), of: nil), at: revision)
        }
        if plan.added != nil || plan.removed != nil { published.show(published.draft(hubSections(.room), of: nil), at: revision) }
        ledger.advance(to: revision)
        // Whoever follows a room that is gone should not be left with it.
        urgentRevision = revision
    }

    private func takeAway(_ live: LiveRoom) {
        rooms.removeAll { $0 === live }
        roomsLost += 1
        published.close(live.room.id)
        live.leave()
        listen(to: live)
        closingMessage(live.playerOrders)
    }

    // MARK: Stages

    func makePlayerOrders(of live: LiveRoom) {
        live.changed = { [weak self] in self?.listen(to: $0) }
        live.awaitsOutput = !outputs.has(output(of: live))
        let old = live.replacePlayerOrders { isCurrent in
            let engine = makeEngine(live.room.id, playedOutput(of: live)) { [weak self, weak live] report in
                guard let self, let live, isCurrent() else { return }
                self.hear(report, in: live)
            }
            return PlayerOrders(engine: engine, sources: sources) { [weak self, weak live] entry, reason in
                guard let self, let live, isCurrent() else { return }
                self.hear(.failed(entry, reason: reason), in: live)
            }
        }
        if let old { closingMessage(old) }
    }

    /// Letting a player go takes a while, and closing the hub waits for it.
    private func closingMessage(_ playerOrders: PlayerOrders) {
        closingNumbers += 1
        let number = closingNumbers
        // While it waits it belongs to the loop too.
        let task = Task(executorPreference: Loop.jobs) { [weak self] in
            await playerOrders.close()
            await self?.hasLeft(number)
        }
        closingPlayers[number] = (playerOrders, task)
    }

    private func hasLeft(_ number: Int) {
        closingPlayers[number] = nil
        memoryRelease.note()
    }

    func untilPlayersAreClosed() async {
        for closingMessage in closingPlayers.values { await closingMessage.task.value }
    }
}

extension Hub.Arrangement {
    @Loop
    fileprivate func changes(at now: Moment, _ revision: Int) -> [Change] {
        var changes = steps.map { step in
            let queue = QueueStep(step.outcome, in: step.room, whole: step.live.isQueueUnwritten)
            return Change(room: RoomRow(step.room, output: step.output, at: now), queue: queue, revision: revision)
        }
        if let added { changes.append(Change(room: RoomRow(added.room, output: added.output, at: now), revision: revision)) }
        if let removed { changes.append(Change(deleting: removed.room.id, revision: revision)) }
        return changes
    }
}
