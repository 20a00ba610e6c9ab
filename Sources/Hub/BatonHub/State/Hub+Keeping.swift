import BatonCore
import BatonSeams

/// What of the rooms is written, and when what may wait for it is written behind.
extension Hub {
    func row(of live: LiveRoom) -> RoomRow { RoomRow(live.room, output: live.output, at: now) }

    /// The answer to a command that changed nothing that is kept here, kept for when its key comes again. It has
    /// happened already; where it cannot be kept, sending it again says the same once more.
    func keeping(_ answer: Answer, under key: Key?, in host: LiveRoom) -> Answer {
        guard let key else { return answer }
        var change = unwritten(of: host)
        change.answer = key.keeping(answer)
        try? ledger.keep([change])
        return answer
    }

    /// The room, and its whole queue when steps of that could not be kept.
    func unwritten(of live: LiveRoom) -> Change {
        let step = QueueStep(Outcome(), in: live.room, whole: live.isQueueUnwritten)
        return Change(room: row(of: live), queue: step, revision: ledger.revision)
    }

    /// Soft state is written a second after it changed; a playing room's position every five.
    func armWriteBehind(_ delay: Duration) {
        let dueUs = reactor.nowUs + Int64(delay / .microseconds(1))
        guard writeAlarm == nil || dueUs < writeDueUs, !isClosed else { return }
        writeAlarm?.cancel()
        writeDueUs = dueUs
        writeAlarm = reactor.after(delay) { [weak self] in
            guard let self else { return }
            self.writeAlarm = nil
            self.writeBehind()
            if self.rooms.contains(where: { $0.isUnwritten || $0.room.isPlaying }) { self.armWriteBehind(.seconds(5)) }
        }
    }

    private func writeBehind() {
        let due = rooms.filter { $0.isUnwritten || $0.room.isPlaying }
        guard !due.isEmpty else { return }
        let isWritten = ledger.writeBehind(due.map(unwritten(of:)))
        for live in due {
            live.isUnwritten = !isWritten
            live.isQueueUnwritten = live.isQueueUnwritten && !isWritten
        }
        showTrouble()
    }

    /// Whether the journal can be written is for everyone to see, when it changes.
    func showTrouble() {
        guard ledger.trouble != shownTrouble else { return }
        shownTrouble = ledger.trouble
        refresh(nil, [.room])
        subscribers.tell()
    }
}
