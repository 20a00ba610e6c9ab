/// Commands with a key are carried out once: key and answer are stored in the same transaction as the change.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// The stored answer to this key, marked as the answer to a repeat.
    func answered(_ key: CommandKey, atMs nowMs: Milliseconds) throws(SourceFault) -> PlaylistOutcome? {
        let known = try first(
            "SELECT hash, answer FROM answer WHERE device = ? AND key = ? AND clock_ms >= ?",
            [.text(key.device), .text(key.key), .time(nowMs - JournalRules.answerLifeMs)]
        ) { (hash: $0.blob(0), outcome: PlaylistOutcome(packed: $0.blob(1))) }
        guard let known else { return nil }
        guard known.hash == key.hash, var outcome = known.outcome else {
            throw SourceFault(.keyMismatch, "This key was used for another command.")
        }
        outcome.isDup = true
        return outcome
    }

    func once(
        _ key: CommandKey?, at reading: AnswerClock.Note, _ body: () throws(SourceFault) -> PlaylistOutcome
    ) throws(SourceFault) -> PlaylistOutcome {
        guard let key else { return try body() }
        let nowMs = reading.clockMs
        if let known = try answered(key, atMs: nowMs) { return known }
        let outcome = try body()
        try run(
            "INSERT OR REPLACE INTO answer (device, key, hash, answer, clock_ms) VALUES (?, ?, ?, ?, ?)",
            [.text(key.device), .text(key.key), .blob(key.hash), .blob(outcome.packed), .time(nowMs)])
        try run(
            """
            DELETE FROM answer WHERE clock_ms < ?1 OR (device = ?2 AND n <= (
                SELECT n FROM answer WHERE device = ?2 ORDER BY n DESC LIMIT 1 OFFSET ?3))
            """, [.time(nowMs - JournalRules.answerLifeMs), .text(key.device), .int(JournalRules.answersPerDevice)])
        try write(reading)
        return outcome
    }

    /// See `StateFile.startClock`.
    func startClock(boot: String) throws(SourceFault) -> AnswerClock {
        let noted = try first("SELECT boot, kernel_ms, clock_ms FROM answer_clock") {
            AnswerClock.Note(boot: $0.text(0), kernelMs: $0.time(1), clockMs: $0.time(2))
        }
        let newestMs = try first("SELECT max(clock_ms) FROM answer") { $0.time(0) }
        let clock = AnswerClock(after: noted ?? AnswerClock.Note(), newestMs: newestMs ?? 0, boot: boot, clock: self.clock)
        let reading = clock.note
        try write(reading)
        try run("UPDATE answer SET clock_ms = max(0, min(clock_ms, ?1)) WHERE clock_ms NOT BETWEEN 0 AND ?1", [.time(reading.clockMs)])
        return clock
    }

    func write(_ reading: AnswerClock.Note) throws(SourceFault) {
        try run(
            "UPDATE answer_clock SET boot = ?, kernel_ms = ?, clock_ms = ?",
            [.text(reading.boot), .time(reading.kernelMs), .time(reading.clockMs)])
    }
}

extension PlaylistOutcome {
    var packed: [UInt8] {
        var packer = Packer()
        packer.put(id.text)
        packer.put(revision)
        packer.put(isNoop ? 1 : 0)
        packer.put(added)
        return packer.bytes
    }

    init?(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        guard let id = unpacker.text(), let revision = unpacker.int(), let isNoop = unpacker.int(), let added = unpacker.entries() else {
            return nil
        }
        self.init(id: PlaylistID(id), revision: revision, added: added, isNoop: isNoop == 1)
    }
}
