/// The key table: the answer to each key, so that a retry after a crash gets the first answer.
import BatonCore
package import BatonProtocol
package import BatonSeams
import SQLite

/// State of the removal of old answers, which is done in small steps, so that no commit pays for many.
struct AnswerPruning {
    /// Devices that got answers since their answers were last counted.
    var devices: Set<String> = []
    var sinceLast = 0

    static let every = 32
    static let expiredAtOnce = 64
}

/// A filter for recent keys, based on hashes.
///
/// Nearly every key is new, and the filter recognises that without reading the file, which takes locks and a sixth of a command's time. A
/// key in neither half is older than an answer's lifetime.
struct KeysHeard {
    private var recent = KeyFilter()
    private var older = KeyFilter()
    private var sinceMs: Milliseconds?

    mutating func note(device: String, key: String, atMs: Milliseconds) {
        if let sinceMs, atMs - sinceMs > JournalRules.answerLifeMs {
            older = recent
            recent = KeyFilter()
            self.sinceMs = atMs
        } else if sinceMs == nil {
            sinceMs = atMs
        }
        recent.insert(Self.hash(device, key))
    }

    func mayKnow(device: String, key: String) -> Bool {
        let hash = Self.hash(device, key)
        return recent.contains(hash) || older.contains(hash)
    }

    private static func hash(_ device: String, _ key: String) -> Int {
        var hasher = Hasher()
        hasher.combine(device)
        hasher.combine(key)
        return hasher.finalize()
    }
}

extension StateFile {
    static func keysHeard(in database: Database) throws(DatabaseError) -> KeysHeard {
        var keys = KeysHeard()
        try database.each("SELECT device, key, clock_ms FROM answer ORDER BY n") { row in
            keys.note(device: row.text(0), key: row.text(1), atMs: row.time(2))
        }
        return keys
    }

    package func answer(device: String, key: String, to kind: CommandKind) throws(JournalFault) -> StoredAnswer? {
        guard keys.mayKnow(device: device, key: key) else { return nil }
        let sql = "SELECT hash, answer FROM answer WHERE device = ? AND key = ? AND clock_ms >= ?"
        do {
            let found = try database.first(sql, [.text(device), .text(key), .time(answerClock.nowMs - JournalRules.answerLifeMs)]) { row in
                StoredAnswer(device: device, key: key, hash: UInt64(bitPattern: row.int64(0)), storedBytes: row.blob(1), to: kind)
            }
            return found ?? nil
        } catch {
            // A successful read says nothing about writes, so `health` stays as the last commit left it.
            throw error.fault(at: path)
        }
    }

    func store(_ answer: StoredAnswer, atMs nowMs: Milliseconds) throws(DatabaseError) {
        // Noted even if this is rolled back: a later look-up then finds nothing.
        keys.note(device: answer.device, key: answer.key, atMs: nowMs)
        try database.run(
            "INSERT OR REPLACE INTO answer (device, key, hash, answer, clock_ms) VALUES (?, ?, ?, ?, ?)",
            [
                .text(answer.device), .text(answer.key), .int(Int64(bitPattern: answer.hash)), .blob(answer.storedBytes),
                .time(nowMs),
            ])
    }

    /// Removes old answers in the same transaction. If that fails the count is too high, which is harmless.
    func forgetOldAnswers(after changes: [Change], nowMs: Milliseconds) throws(DatabaseError) {
        let answers = changes.compactMap(\.answer)
        guard !answers.isEmpty else { return }
        pruning.devices.formUnion(answers.map(\.device))
        pruning.sinceLast += answers.count
        guard pruning.sinceLast >= AnswerPruning.every else { return }
        for device in pruning.devices {
            try database.run(
                """
                DELETE FROM answer WHERE device = ?1
                    AND n <= (SELECT n FROM answer WHERE device = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)
                """, [.text(device), .int(JournalRules.answersPerDevice)])
        }
        try database.run(
            "DELETE FROM answer WHERE n IN (SELECT n FROM answer ORDER BY n LIMIT ?) AND clock_ms < ?",
            [.int(AnswerPruning.expiredAtOnce), .time(nowMs - JournalRules.answerLifeMs)])
        pruning = AnswerPruning()
    }
}
