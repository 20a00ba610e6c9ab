package import BatonCore
package import BatonProtocol
package import BatonSeams

/// What is written of the rooms, and when the values that may wait are written.
extension RoomChanges {
    /// The answer to a command that changed nothing that the journal keeps, kept for the case that its key comes again. The
    /// command is done already; where its answer cannot be kept, sending it again says the same once more.
    package func keeping(_ reply: Reply, under key: Ledger.Key?, in host: LiveRoom) -> Reply {
        guard let key else { return reply }
        var change = unwritten(of: host.isPrivate ? rooms.first : host)
        change.answer = ledger.kept(reply, under: key)
        try? ledger.keep([change])
        return reply
    }

    /// What outlives a private room: the answer to a command, and that the names of its entries are never given again.
    package func keep(_ answer: KeptAnswer?, of outcome: Outcome) throws(JournalFault) {
        guard answer != nil || !outcome.changes.isEmpty else { return }
        var change = unwritten(of: rooms.first)
        change.answer = answer
        change.nextEntry = ledger.numbers.next
        try ledger.keep([change])
    }

    /// The room, and its whole queue when steps of that could not be kept.
    package func unwritten(of live: LiveRoom) -> Change {
        let room = live.kept(as: live.room)
        let step = QueueStep(Outcome(), in: room, whole: live.isQueueUnwritten)
        return Change(room: RoomRow(room, output: live.output, at: clock.now), queue: step, revision: ledger.revision)
    }

    /// Soft state is written a second after it changed; a playing room's position every five, and in the first five seconds of an
    /// entry as each begins, so that one that has just begun does not begin again.
    func armWriteBehind(_ delay: Duration) {
        let dueUs = clock.nowUs + Int64(delay / .microseconds(1))
        guard writeAlarm == nil || dueUs < writeDueUs, !isClosed else { return }
        writeAlarm?.cancel()
        writeDueUs = dueUs
        writeAlarm = clock.after(delay) { [weak self] in
            guard let self else { return }
            self.writeAlarm = nil
            self.writeBehind()
            if self.rooms.shared.contains(where: { $0.isUnwritten || $0.isPlaying }) { self.armWriteBehind(self.nextWrite) }
        }
    }

    private static let steady = Duration.seconds(5)
    private static let youngMs = 5000
    /// A position that is written this much behind the beginning of a second is in that second, however it is rounded.
    private static let margin = 20

    private var nextWrite: Duration {
        let now = clock.now
        let begun = rooms.shared.lazy.map(\.room).filter { $0.timeline.state == .playing && $0.currentEntry?.tags.kind != .station }
        let young = begun.map { $0.positionMs(at: now) }.filter { $0 < Self.youngMs }
        return young.map { .milliseconds(1000 - $0 % 1000 + Self.margin) }.min() ?? Self.steady
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
