/// `state.db`: rooms, queues, the answers that make retries safe, and the assigned numbers.
///
/// Synchronous, and owned by one thread at a time; `StateStore` puts it on the loop. WAL with `synchronous=NORMAL`: a commit survives a
/// crash of this process at any time and does not wait for the disk. A power cut may lose the commits since the last sync. So a file that
/// was open during an earlier boot and not closed starts a new epoch.
package import BatonCore
package import BatonSeams
import Glibc
import SQLite

package final class StateFile {
    package let path: String
    package private(set) var health = JournalHealth()
    /// The wall clock at the last commit.
    private(set) var writtenMs: Milliseconds?

    let database: Database
    let checkpointer: Checkpointer
    private let folder: DataFolder
    private var isOpen = true

    /// The numbering on disk; changed only after the commit that moved it.
    private(set) var marks: Marks
    /// Stamps and expires answers.
    let answerClock: AnswerClock
    /// The clock by which answers expire.
    package var clockMs: Milliseconds { answerClock.nowMs }
    private let clock: Clock
    private var notedMs: Milliseconds
    var pruning = AnswerPruning()
    var keys: KeysHeard
    /// Changed only after a commit, like `marks`.
    var notes = Notes()

    struct Marks {
        var epoch: String
        var lastRevision: Int
        var nextEntry: UInt64
    }

    /// Size of the log at which it is moved into the database, in bytes.
    package static let checkpointBytes = 4 << 20
    /// Largest size of the log, not counting one commit.
    var logLimit = 8 << 20
    private var checkpointAt = checkpointBytes
    static let entryBlock: UInt64 = 1000
    /// More entries than the log can hold between two syncs, so that a lost number is never assigned again.
    static let entriesLostAtMost: UInt64 = 1 << 16

    /// Opens the existing file or creates one. `freshEpoch` is random and is used only if a new epoch has to begin.
    package init(in folder: DataFolder, freshEpoch: String, boot: String = KernelLife.current(), clock: Clock = .system)
        throws(JournalFault)
    {
        self.folder = folder
        self.clock = clock
        path = folder.path + "/state.db"
        var notices: [String] = []
        database = try Self.opening(path).openOrReplace(&notices)
        do {
            marks = try Self.startLife(database, freshEpoch: freshEpoch, boot: boot)
            answerClock = try Self.startClock(database, boot: boot, clock)
            notedMs = answerClock.nowMs
            keys = try Self.keysHeard(in: database)
        } catch {
            throw error.fault(at: folder.path + "/state.db")
        }
        health.notices = notices
        checkpointer = Checkpointer(path)
        database.watchLog()
    }

    deinit { close() }

    // MARK: - Operations, from opening to closing

    package func load() throws(JournalFault) -> Recovered {
        try guarded { () throws(DatabaseError) in
            var recovered = Recovered(epoch: marks.epoch, revisionFloor: marks.lastRevision, nextEntry: marks.nextEntry)
            recovered.rooms = try recoveredRooms()
            recovered.lastRooms = try lastRooms()
            return recovered
        }
    }

    package func commit(_ changes: [Change]) throws(JournalFault) {
        guard !changes.isEmpty else { return }
        try guarded { () throws(DatabaseError) in
            let next = marks(after: changes)
            let reading = answerClock.note
            let isNoteDue = reading.clockMs - notedMs >= AnswerClock.noteEveryMs
            var notes = notes
            try database.transaction { () throws(DatabaseError) in
                for change in changes { try apply(change, &notes, atMs: reading.clockMs) }
                if let next { try write(next) }
                if isNoteDue { try Self.write(reading, in: database) }
                try sweep(&notes)
                try forgetOldAnswers(after: changes, nowMs: reading.clockMs)
            }
            if let next { marks = next }
            if isNoteDue { notedMs = reading.clockMs }
            self.notes = notes
        }
        writtenMs = clock.wallMs
        limitLog()
    }

    package func reserveRevisions(upTo last: Int) throws(JournalFault) {
        guard last > marks.lastRevision else { return }
        try guarded { () throws(DatabaseError) in
            var next = marks
            next.lastRevision = last
            try database.transaction { () throws(DatabaseError) in try write(next) }
            marks = next
        }
    }

    /// Moves the log into the database, records that nothing can be lost, and closes file and folder.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        checkpointer.finish()
        // On a full disk these may fail. Then the file counts as open during a power cut, and the clock continues from an older note; both
        // are safe.
        try? Self.write(answerClock.note, in: database)
        try? database.execute("PRAGMA synchronous = FULL; UPDATE journal SET open_boot = ''; PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        folder.release()
    }

    /// A log starts over once all of it was moved and nothing was added meanwhile. This happens by itself unless thousands of commits in a
    /// row come faster than the disk syncs. Then the loop waits for one sync, because the log would otherwise grow without limit.
    private func limitLog() {
        let bytes = database.logPages * 4096
        if bytes < Self.checkpointBytes { checkpointAt = Self.checkpointBytes }
        if bytes > logLimit {
            checkpointer.finish()
            // A failure here is retried after the next commit.
            try? database.execute("PRAGMA wal_checkpoint(PASSIVE)")
        } else if bytes > checkpointAt {
            checkpointer.begin()
            checkpointAt = bytes + Self.checkpointBytes / 4
        }
    }

    // MARK: - One change

    private func apply(_ change: Change, _ notes: inout Notes, atMs nowMs: Milliseconds) throws(DatabaseError) {
        switch change.room {
        case .kept(let room):
            try write(room, &notes)
            if let step = change.queue { try apply(step, in: room.id, &notes) }
        case .deleted(let id):
            try database.run("UPDATE room SET deletion = 1 + (SELECT max(deletion) FROM room) WHERE id = ?", [.text(id.text)])
        case .forgotten(let id):
            try deleteQueue(of: id, &notes)
            try database.run("DELETE FROM room WHERE id = ?", [.text(id.text)])
        }
        if let answer = change.answer { try store(answer, atMs: nowMs) }
    }

    private func write(_ marks: Marks) throws(DatabaseError) {
        try database.run(
            "UPDATE journal SET last_revision = ?, next_entry = ?",
            [.int(marks.lastRevision), .int(Int64(bitPattern: marks.nextEntry))])
    }

    /// The marks, if these changes move them. They move in blocks, so that most commits leave them alone.
    private func marks(after changes: [Change]) -> Marks? {
        var next = marks
        for change in changes {
            if change.revision > next.lastRevision { next.lastRevision = change.revision + JournalRules.revisionBlock }
            let highest = max(change.queue?.changes.compactMap(\.highestNewEntry).max() ?? 0, max(change.nextEntry, 1) - 1)
            if highest >= next.nextEntry { next.nextEntry = highest + Self.entryBlock }
        }
        let moved = next.lastRevision != marks.lastRevision || next.nextEntry != marks.nextEntry
        return moved ? next : nil
    }

    // MARK: - Faults

    /// Runs `body`, stores a failure for `health`, and turns it into a sentence.
    func guarded<Result>(_ body: () throws(DatabaseError) -> Result) throws(JournalFault) -> Result {
        do {
            let result = try body()
            health.trouble = nil
            return result
        } catch {
            let fault = error.fault(at: path)
            health.trouble = fault
            throw fault
        }
    }
}

extension QueueChange {
    fileprivate var highestNewEntry: UInt64? {
        switch self {
        case .inserted(let new, _), .replaced(let new): new.lazy.map(\.id.number).max()
        case .removed, .moved, .restored, .described, .current, .forgotten: nil
        }
    }
}
