import BatonCore
import BatonSeams

/// The numbers that must never repeat, and the journal that remembers across restarts.
///
/// Revisions are reserved on disk in blocks, so that after a crash counting goes on above anything
/// that may have been sent. What a room may lose for a second (level, play or pause, position) is
/// noted here and written behind; all else is written before it is answered.
@Loop
final class Ledger {
    private let journal: any Journal
    private let log: Log
    private(set) var revision: Int
    private var reserved: Int
    let epoch: String
    var numbers: EntryNumbers
    /// Rooms whose soft state is newer than what is kept.
    private var unwritten: [RoomID: RoomRow] = [:]
    private(set) var trouble: JournalFault?

    init(journal: any Journal, recovered: Recovered, log: Log) throws(JournalFault) {
        self.journal = journal
        self.log = log
        epoch = recovered.epoch
        numbers = EntryNumbers(next: recovered.nextEntry)
        revision = recovered.revisionFloor
        reserved = recovered.revisionFloor
        try reserve(revision + 1)
    }

    var hasUnwritten: Bool { !unwritten.isEmpty }
    var notices: [String] { journal.health.notices }

    /// The number the next visible change will have.
    func upcomingRevision() throws(JournalFault) -> Int {
        try reserve(revision + 1)
        return revision + 1
    }

    func advance(to revision: Int) { self.revision = revision }

    /// On disk when this returns.
    func keep(_ change: Change) throws(JournalFault) {
        do {
            try journal.commit([change])
            if case .kept(let row) = change.room { unwritten[row.id] = nil }
            settle(nil)
        } catch {
            settle(error)
            throw error
        }
    }

    /// On disk within a second, by `writeBehind`.
    func note(_ row: RoomRow) { unwritten[row.id] = row }

    func writeBehind() {
        guard !unwritten.isEmpty else { return }
        do {
            try journal.commit(unwritten.values.map { Change(room: $0, revision: revision) })
            unwritten = [:]
            settle(nil)
        } catch {
            settle(error)
        }
    }

    func answer(device: String, key: String, nowMs: Int64) throws(JournalFault) -> KeptAnswer? {
        try journal.answer(device: device, key: key, nowMs: nowMs)
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
