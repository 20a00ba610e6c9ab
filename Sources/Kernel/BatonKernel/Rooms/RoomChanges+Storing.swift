import BatonCore
package import BatonProtocol
package import BatonSeams

/// Writing rooms to the journal, and the delays of values that may wait.
extension RoomChanges {
    /// Stores the answer to a command that changed nothing in the journal, in case its key comes again. The command is done
    /// already, so when storing fails, a repeat gives the same answer.
    package func storing(_ reply: Reply, under key: Ledger.Key?, in host: LiveRoom) -> Reply {
        guard let key else { return reply }
        var change = unwritten(of: host.isPrivate ? rooms.first : host)
        change.answer = ledger.stored(reply, under: key, of: host.id)
        try? ledger.store([change])
        return reply
    }

    /// Stores the parts of a private room's change that outlive it: the answer to a command, and used entry ids, which are
    /// never given again.
    func store(_ answer: StoredAnswer?, of outcome: Outcome) throws(JournalFault) {
        guard answer != nil || !outcome.changes.isEmpty else { return }
        var change = unwritten(of: rooms.first)
        change.answer = answer
        change.nextEntry = ledger.numbers.next
        try ledger.store([change])
    }

    /// The room, with its whole queue when steps of it could not be stored.
    package func unwritten(of live: LiveRoom) -> Change {
        let room = live.stored(as: live.room)
        let step = QueueStep(Outcome(), in: room, whole: live.isQueueUnwritten)
        return Change(room: RoomRow(room, output: live.output, at: clock.now), queue: step, revision: ledger.revision)
    }

    /// Schedules a write. Soft state is written a second after a change; the position of a playing room every five seconds,
    /// and every second while an entry is in its first five, so that it does not start again after a restart.
    func armWriteBehind(afterMs delayMs: Milliseconds) {
        let dueUs = clock.nowUs + Microseconds(delayMs)
        guard writeAlarm == nil || dueUs < writeDueUs, !isClosed else { return }
        writeAlarm?.cancel()
        writeDueUs = dueUs
        writeAlarm = clock.after(.milliseconds(delayMs)) { [weak self] in
            guard let self else { return }
            self.writeAlarm = nil
            self.writeBehind()
            if self.rooms.shared.contains(where: { $0.isUnwritten || $0.isPlaying }) { self.armWriteBehind(afterMs: self.nextWriteMs) }
        }
    }

    private static let steadyMs: Milliseconds = 5000
    private static let youngMs: Milliseconds = 5000
    /// Milliseconds after the start of a second at which a position is written, so that rounding does not change the second.
    private static let marginMs: Milliseconds = 20

    private var nextWriteMs: Milliseconds {
        let now = clock.now
        let begun = rooms.shared.lazy.map(\.room).filter { $0.timeline.state == .playing && $0.currentEntry?.tags.kind != .station }
        let young = begun.map { $0.positionMs(at: now) }.filter { $0 < Self.youngMs }
        return young.map { 1000 - $0 % 1000 + Self.marginMs }.min() ?? Self.steadyMs
    }

    private func writeBehind() {
        let due = rooms.shared.filter { $0.isUnwritten || $0.isPlaying }
        guard !due.isEmpty else { return }
        let isWritten = ledger.writeBehind(due.map(unwritten(of:)))
        for live in due {
            live.isUnwritten = !isWritten
            live.isQueueUnwritten = live.isQueueUnwritten && !isWritten
        }
        showTrouble()
    }
}
