/// `sources.db`: accounts at servers without their secrets, what each source remembers, the outbox, and the mirrors of
/// their rows.
///
/// It may be asked from any thread but the loop; each connection has a lock of its own. One connection writes, and never for
/// long: what is large is written in pieces, so that a note for the outbox does not wait behind a mirror. The others read,
/// each the file as it was when its transaction began. WAL with `synchronous=NORMAL`, as `state.db`: what was told to be kept
/// survives the death of this process.
package import BatonSeams
import Glibc
import SQLite
import Synchronization

package final class SourceStore: Sendable {
    package let path: String
    /// For people: what happened when it was opened.
    package let notices: [String]

    private let writer: LockedSources
    private let readers: [LockedSources]
    let log: Log
    private let turn = Atomic(0)
    private static let readerCount = 2

    /// Opens what is there or starts anew, in a data folder that exists.
    package init(folder: String, log: Log = .silent) throws(SourceFault) {
        self.log = log
        let path = folder + "/sources.db"
        self.path = path
        var notices: [String] = []
        let opening = DatabaseOpening(
            path: path, schema: .sources, settings: SourceDatabase.settings,
            loss: "accounts that were added by command, and what was not yet told to servers, are in the file set aside",
            isLookedThrough: unsafe access(Self.doubt(of: path), F_OK) == 0)
        let database: Database
        do { database = try opening.openOrReplace(&notices) } catch { throw SourceFault(error) }
        _ = unsafe unlink(Self.doubt(of: path))
        database.waitForLocks(milliseconds: 5_000)
        writer = LockedSources(SourceDatabase(database, at: path))
        var readers: [LockedSources] = []
        for _ in 0..<Self.readerCount { readers.append(LockedSources(try SourceDatabase.reader(of: path))) }
        self.readers = readers
        self.notices = notices
    }

    /// Where it is noted that the file is damaged, for the next start.
    private static func doubt(of path: String) -> String { path + ".damaged" }

    /// Looks at the whole file, on a connection of its own, so that no question waits. Damage is a sentence, and the next
    /// start sets the file aside.
    package func lookThrough() -> String? {
        do throws(DatabaseError) {
            try DatabaseOpening.lookThrough(try Database(path))
            return nil
        } catch {
            // A disk that fails for a moment says nothing of the file.
            guard error.code == .damaged else { return nil }
            let note = unsafe open(Self.doubt(of: path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            if note >= 0 { Glibc.close(note) }
            return error.fault(at: path).sentence
        }
    }

    /// Moves the log into the file and lets go of it.
    package func close() {
        for reader in readers { reader.wait { $0.database.close() } }
        writer.wait { sources in
            try? sources.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sources.database.close()
        }
    }

    // MARK: - Turns

    /// One transaction.
    @discardableResult
    func change<Result: Sendable>(_ body: (SourceDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try writer.wait { sources throws(SourceFault) in
            try sources.change { () throws(SourceFault) in try body(sources) }
        }
    }

    /// Several questions to the file as it is at one moment: the reader that is free, else the next in turn.
    func look<Result: Sendable>(_ body: (SourceDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        func ask(_ sources: SourceDatabase) throws(SourceFault) -> Result {
            try sources.look { () throws(SourceFault) in try body(sources) }
        }
        for reader in readers {
            if let result = try reader.tryNow({ sources throws(SourceFault) in try ask(sources) }) { return result }
        }
        let next = turn.wrappingAdd(1, ordering: .relaxed).newValue
        return try readers[abs(next % readers.count)].wait { sources throws(SourceFault) in try ask(sources) }
    }

    /// Makes a statement of the writer fail, for tests.
    func failAfter(steps: Int?) { writer.wait { $0.database.failAfter(steps: steps) } }
}
