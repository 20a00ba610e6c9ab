import BatonCore
import BatonProtocol
package import BatonSeams

/// The numbers that must never repeat, and the journal that remembers across restarts.
///
/// Revisions are reserved on disk in blocks, so that after a crash counting goes on above every number that may have been
/// sent. Values that a room may lose for a second (level, play or pause, position) are written later by the hub; all others
/// are written before the answer.
@Loop
package final class Ledger {
    private let journal: any Journal
    private let log: Log
    package var revision: Int { current }
    // A stored `package` variable would be checked for overlapping changes at each read, and each command reads this one often.
    private var current: Int
    private var reserved: Int
    /// The id of this journal. A journal that was replaced has another one, so that clients do not resume with its revisions.
    package let epoch: String
    var numbers: EntryNumbers
    private(set) var trouble: JournalFault?

    init(journal: any Journal, recovered: Recovered, log: Log) throws(JournalFault) {
        self.journal = journal
        self.log = log
        epoch = recovered.epoch
        numbers = EntryNumbers(next: recovered.nextEntry)
        current = recovered.revisionFloor
        reserved = recovered.revisionFloor
        try reserve(current + 1)
    }

    var notices: [String] { journal.health.notices }

    /// The number of the next visible change.
    func upcomingRevision() throws(JournalFault) -> Int {
        try reserve(current + 1)
        return current + 1
    }

    func advance(to revision: Int) { current = revision }

    /// Writes all changes. They are on disk when this returns.
    package func store(_ changes: [Change]) throws(JournalFault) {
        do {
            try journal.commit(changes)
            settle(nil)
        } catch {
            settle(error)
            throw error
        }
    }

    /// Stores soft state. False when that failed; the fault is remembered.
    func writeBehind(_ changes: [Change]) -> Bool {
        do {
            try journal.commit(changes)
            settle(nil)
            return true
        } catch {
            settle(error)
            return false
        }
    }

    /// Stores a client's last room. A failure is ignored, since it only means that the choice is lost with the next restart.
    func store(_ lastRoom: LastRoom) { try? journal.store(lastRoom) }

    // MARK: Answers

    /// The command that a change answers.
    package struct Key {
        let device: String
        /// The text that the client chose for the command.
        package let key: String
        let hash: UInt64
        let kind: CommandKind
    }

    /// An answer for the journal. `room` is the one whose queue the command changed, if it changed one.
    func stored(_ reply: Reply, under key: Key, of room: RoomID?) -> StoredAnswer {
        StoredAnswer(device: key.device, key: key.key, hash: key.hash, reply: reply, room: reply.queue == nil ? nil : room)
    }

    func answer(to key: Key) throws(JournalFault) -> StoredAnswer? {
        try journal.answer(device: key.device, key: key.key, to: key.kind)
    }

    /// Whether a stored answer has this key.
    func knows(_ key: String, of principal: String, for kind: CommandKind) throws(ProtocolFault) -> Bool {
        do { return try journal.answer(device: principal, key: key, to: kind) != nil } catch {
            throw ProtocolFault(.unavailable, error.sentence)
        }
    }

    private func reserve(_ revision: Int) throws(JournalFault) {
        guard revision > reserved else { return }
        let last = revision + JournalRules.revisionBlock
        do {
            try journal.reserveRevisions(upTo: last)
            reserved = last
        } catch {
            settle(error)
            throw error
        }
    }

    /// Records the fault of a write. A repeated failure is logged when it starts and when it ends.
    private func settle(_ fault: JournalFault?) {
        guard fault != trouble else { return }
        if let fault { log(.error, fault.sentence) } else { log(.notice, "The journal can be written again.") }
        trouble = fault
    }
}
