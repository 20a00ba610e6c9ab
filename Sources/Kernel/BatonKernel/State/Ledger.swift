package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The numbers that must never repeat, and the journal that remembers across restarts.
///
/// Revisions are reserved on disk in blocks, so that after a crash counting goes on above anything
/// that may have been sent. What a room may lose for a second (level, play or pause, position) is
/// written behind by the hub; all else is written before it is answered.
@Loop
package final class Ledger {
    private let journal: any Journal
    private let log: Log
    package private(set) var revision: Int
    private var reserved: Int
    package let epoch: String
    package var numbers: EntryNumbers
    package private(set) var trouble: JournalFault?

    package init(journal: any Journal, recovered: Recovered, log: Log) throws(JournalFault) {
        self.journal = journal
        self.log = log
        epoch = recovered.epoch
        numbers = EntryNumbers(next: recovered.nextEntry)
        revision = recovered.revisionFloor
        reserved = recovered.revisionFloor
        try reserve(revision + 1)
    }

    var notices: [String] { journal.health.notices }

    /// The number the next visible change will have.
    func upcomingRevision() throws(JournalFault) -> Int {
        try reserve(revision + 1)
        return revision + 1
    }

    func advance(to revision: Int) { self.revision = revision }

    /// On disk when this returns, all of it.
    package func keep(_ changes: [Change]) throws(JournalFault) {
        do {
            try journal.commit(changes)
            settle(nil)
        } catch {
            settle(error)
            throw error
        }
    }

    /// Keeps soft state. Says whether that went well; trouble is remembered.
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

    /// Where it cannot be kept it is forgotten with the next restart, and that is all.
    package func keep(_ lastRoom: LastRoom) { try? journal.keep(lastRoom) }

    // MARK: Answers

    /// The command that a change answers.
    package struct Key {
        let device: String
        package let key: String
        let hash: UInt64
        let kind: CommandKind
    }

    package func kept(_ reply: Reply, under key: Key) -> KeptAnswer {
        KeptAnswer(device: key.device, key: key.key, hash: key.hash, reply: reply)
    }

    func answer(to key: Key) throws(JournalFault) -> KeptAnswer? {
        try journal.answer(device: key.device, key: key.key, to: key.kind)
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

    /// A failure that repeats is logged when it starts and when it ends.
    private func settle(_ fault: JournalFault?) {
        guard fault != trouble else { return }
        if let fault { log(.error, fault.sentence) } else { log(.notice, "The journal can be written again.") }
        trouble = fault
    }
}
