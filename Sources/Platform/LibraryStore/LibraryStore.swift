/// `library.db`: the scanned music, and what people keep of it: favourites, stars, plays and playlists.
///
/// It may be asked from any thread but the loop; each connection has a lock of its own. One connection writes.
/// The others read, each the file as it was when its transaction began, so that a search never waits for a
/// scan that writes. WAL with `synchronous=NORMAL`, as `state.db`: what was told to be kept survives the
/// death of this process.
import BatonCore
package import BatonSeams
import CLinux
import SQLite
import Synchronization

package final class LibraryStore: Sendable {
    package let path: String
    /// For people: what happened when it was opened.
    package let notices: [String]
    /// For people: rows of a file without damage that are passed over.
    package let remarks: [String]

    let writer: LockedConnection<LibraryDatabase>
    /// A press waits for a commit, and so not for the log to be moved into the file and synced.
    private let checkpointer: Checkpointer
    private let readers: ReaderConnections<LibraryDatabase>
    private let counted: Mutex<Counted>
    /// Stamps and expires answers.
    let answerClock: AnswerClock
    /// Whose playlists are whose; see `PersonKeeper.access`.
    let accesses: Mutex<[PlaylistID: PlaylistAccess]>

    private struct Counted {
        var libraryCounts: LibraryCounts
        /// Transactions that changed anything.
        var changes = 0
    }

    private static let readerCount = 2
    private static let logBound = 2

    /// For tests: the pages of the log that have not been moved into the file, or had not been at the last change.
    var logPages: Int { writer.wait { $0.database.logPages } }

    /// Opens what is there or starts anew, in a data folder that exists. A large library takes a second to
    /// be looked through, so that comes later (`lookThrough`), unless it found something last time.
    package init(folder: String, boot: String = KernelLife.current(), clock: Clock = .system) throws(SourceFault) {
        let path = folder + "/library.db"
        self.path = path
        let mark = DamageMark(of: path)
        var notices: [String] = []
        let opening = DatabaseOpening(
            path: path, schema: .library, settings: LibraryDatabase.settings,
            loss: "the library is empty until the next scan, and playlists and favourites are in the file set aside",
            isLookedThrough: mark.isThere)
        let database = try opening.openForStore(&notices)
        mark.remove()
        let library = LibraryDatabase(database, at: path, clock)
        library.libraryCounts = try library.readLibraryCounts()
        answerClock = try library.startClock(boot: boot)
        library.labels = try library.countUnordered()
        accesses = Mutex(try library.playlistAccess())
        remarks = try library.damagedMarks()
        counted = Mutex(Counted(libraryCounts: library.libraryCounts))
        checkpointer = Checkpointer(path)
        database.watchLog()
        writer = LockedConnection(library)
        var readers: [LibraryDatabase] = []
        for _ in 0..<Self.readerCount { readers.append(try LibraryDatabase.reader(of: path, clock)) }
        self.readers = ReaderConnections(readers)
        self.notices = notices
    }

    /// Looks through the whole file, which takes as long as it is large. Damage is a sentence, and the next start sets the file aside.
    package func lookThrough() -> String? { DamageMark(of: path).lookThrough() }

    /// Moves the log into the file and lets go of it.
    package func close() {
        readers.waitForEach { $0.database.close() }
        checkpointer.finish()
        writer.wait { library in
            // On a full disk this fails, and the clock goes on from an older note.
            try? library.write(answerClock.note)
            library.database.closeWhole()
        }
    }

    // MARK: - Turns

    func change<Result: Sendable>(_ body: (LibraryDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try writer.wait { library throws(SourceFault) in
            let result = try library.change { () throws(SourceFault) in try body(library) }
            let libraryCounts = library.libraryCounts
            counted.withLock { counted in
                counted.libraryCounts = libraryCounts
                counted.changes += 1
            }
            tendLog(of: library)
            return result
        }
    }

    /// Where changes follow each other faster than the disk syncs, one of them pays for it: the log has a bound.
    private func tendLog(of library: LibraryDatabase) {
        let pages = library.database.logPages
        if pages > library.mostLogPages { checkpointer.begin() }
        guard pages > Self.logBound * library.mostLogPages else { return }
        checkpointer.finish()
        // What fails here is tried again after the next change.
        try? library.database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }

    /// Several questions to the file as it is at one moment.
    func look<Result: Sendable>(_ body: (LibraryDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try readers.ask { library throws(SourceFault) in
            // Asked before the file is looked at, so that what is remembered is never older than it says.
            let counted = counted.withLock { $0 }
            library.libraryCounts = counted.libraryCounts
            library.shown?.begin(counted.changes)
            return try library.look { () throws(SourceFault) in try body(library) }
        }
    }

    package func libraryCounts() -> LibraryCounts { counted.withLock(\.libraryCounts) }

    /// Makes a statement of the writer fail, for tests.
    func failAfter(steps: Int?) { writer.wait { $0.database.failAfter(steps: steps) } }
}
