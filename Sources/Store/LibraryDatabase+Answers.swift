/// Commands that bring a key are done once: key and answer are part of the change they belong to.
import BatonCore
import BatonSeams

extension LibraryDatabase {
    /// What this key was answered, as the answer to a repeat.
    func answered(_ key: CommandKey, sinceMs: Int64) throws(SourceFault) -> PlaylistOutcome? {
        let known = try first(
            "SELECT hash, answer FROM answer WHERE device = ? AND key = ? AND at_ms >= ?",
            [.text(key.device), .text(key.key), .int(sinceMs)]
        ) { (hash: $0.blob(0), outcome: PlaylistOutcome(packed: $0.blob(1))) }
        guard let known else { return nil }
        guard known.hash == key.hash, var outcome = known.outcome else {
            throw SourceFault(.keyMismatch, "This key was used for another command.")
        }
        outcome.isDup = true
        return outcome
    }

    func once(_ key: CommandKey?, atMs: Int64, _ body: () throws(SourceFault) -> PlaylistOutcome) throws(SourceFault) -> PlaylistOutcome {
        guard let key else { return try body() }
        if let known = try answered(key, sinceMs: atMs - JournalRules.answerLifeMs) { return known }
        let outcome = try body()
        try run(
            "INSERT OR REPLACE INTO answer (device, key, hash, answer, at_ms) VALUES (?, ?, ?, ?, ?)",
            [.text(key.device), .text(key.key), .blob(key.hash), .blob(outcome.packed), .int(atMs)])
        try run(
            """
            DELETE FROM answer WHERE at_ms < ?1 OR (device = ?2 AND n <= (
                SELECT n FROM answer WHERE device = ?2 ORDER BY n DESC LIMIT 1 OFFSET ?3))
            """, [.int(atMs - JournalRules.answerLifeMs), .text(key.device), .int(JournalRules.answersPerDevice)])
        return outcome
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
