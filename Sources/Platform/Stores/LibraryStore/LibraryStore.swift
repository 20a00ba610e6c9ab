/// `library.db`: the scanned music, with favourites, stars, plays and playlists.
///
/// Any thread but the loop may call it; each connection has its own lock. One connection writes. The others read, each seeing the file as
/// it was when its transaction began, so a search never waits for a scan. The file uses WAL with `synchronous=NORMAL`, like `state.db`:
/// committed changes survive a crash of this process.
import BatonCore
package import BatonSeams
import CLinux
import SQLite
import Synchronization

package final class LibraryStore: Sendable {
    package let path: String
    /// Messages for people about events while opening.
    package let notices: [String]
    /// Messages for people about rows that are skipped although the file is undamaged.
    package let remarks: [String]

    let writer: LockedConnection<LibraryDatabase>
    /// Moves the log into the file on its own thread, so that a key press waits only for its commit and not for the sync.
    private let checkpointer: Checkpointer
    private let readers: ReaderConnections<LibraryDatabase>
    private let counted: Mutex<Counted>
    /// Stamps and expires answers.
    let answerClock: AnswerClock
    /// Owner and sharing of each playlist; see `PersonStorage.access`.
    let accesses: Mutex<[PlaylistID: PlaylistAccess]>

    private struct Counted {
        var libraryCounts: LibraryCounts
        /// Number of transactions that changed anything.
        var changes = 0
        var songChanges = 0
    }

    private static let readerCount = 2
    private static let logBound = 2

    /// Number of log pages that were not yet in the file after the last change. For tests.
    var logPages: Int { writer.wait { $0.database.logPages } }

    /// Opens the existing file or creates one, in a data folder that exists. Checking a large library takes a second and so happens later
    /// (`checkIntegrity`), unless the last check found damage.
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

    /// Checks the whole file, which takes time in proportion to its size. Damage is reported as a sentence, and the next start sets the
    /// file aside.
    package func checkIntegrity() -> String? { DamageMark(of: path).checkIntegrity() }

    /// Moves the log into the file and closes it.
    package func close() {
        readers.waitForEach { $0.database.close() }
        checkpointer.finish()
        writer.wait { library in
            // This fails on a full disk; the clock then continues from an older note.
            try? library.write(answerClock.note)
            library.database.closeWhole()
        }
    }

    // MARK: - Turns

    func change<Result: Sendable>(_ body: (LibraryDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try writer.wait { library throws(SourceFault) in
            let result = try library.change { () throws(SourceFault) in try body(library) }
            let libraryCounts = library.libraryCounts
            let songChanges = library.songChanges
            counted.withLock { counted in
                counted.libraryCounts = libraryCounts
                counted.songChanges = songChanges
                counted.changes += 1
            }
            limitLog(of: library)
            return result
        }
    }

    /// Limits the log: when changes come faster than the disk syncs, one of them waits for the sync.
    private func limitLog(of library: LibraryDatabase) {
        let pages = library.database.logPages
        if pages > library.mostLogPages { checkpointer.begin() }
        guard pages > Self.logBound * library.mostLogPages else { return }
        checkpointer.finish()
        // A failure is ignored, since the next change tries again.
        try? library.database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }

    /// Runs several queries on one snapshot of the file.
    func look<Result: Sendable>(_ body: (LibraryDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try readers.ask { library throws(SourceFault) in
            // Read before the snapshot is taken, so that remembered rows are never older than the file.
            let counted = counted.withLock { $0 }
            library.libraryCounts = counted.libraryCounts
            library.shown?.begin(counted.changes)
            return try library.look { () throws(SourceFault) in try body(library) }
        }
    }

    package func libraryCounts() -> LibraryCounts { counted.withLock(\.libraryCounts) }

    package var songChanges: Int { counted.withLock(\.songChanges) }

    /// Makes a statement of the writer fail, for tests.
    func failAfter(steps: Int?) { writer.wait { $0.database.failAfter(steps: steps) } }
}
