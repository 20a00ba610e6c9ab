/// `sources.db`: accounts at servers without their secrets, the memory of each source, the outbox, the mirrors of their rows, and radio
/// stations.
///
/// Any thread but the loop may call it; each connection has its own lock. One connection writes, and never for long: large data is written
/// in pieces, so that a note for the outbox does not wait for a mirror. The others read, each seeing the file as it was when its
/// transaction began. The file uses WAL with `synchronous=NORMAL`, like `state.db`: committed changes survive a crash of this process.
package import BatonSeams
import SQLite

package final class SourceStore: Sendable {
    package let path: String
    /// Messages for people about events while opening.
    package let notices: [String]

    private let writer: LockedConnection<SourceDatabase>
    private let readers: ReaderConnections<SourceDatabase>
    let log: Log
    private static let readerCount = 2

    /// Opens the existing file or creates one, in a data folder that exists.
    package init(folder: String, log: Log = .silent) throws(SourceFault) {
        self.log = log
        let path = folder + "/sources.db"
        self.path = path
        let mark = DamageMark(of: path)
        var notices: [String] = []
        let opening = DatabaseOpening(
            path: path, schema: .sources, settings: SourceDatabase.settings,
            loss: "accounts and stations that were added by command, and what was not yet told to servers, are in the file set aside",
            isLookedThrough: mark.isThere)
        let database = try opening.openForStore(&notices)
        mark.remove()
        writer = LockedConnection(SourceDatabase(database, at: path))
        var readers: [SourceDatabase] = []
        for _ in 0..<Self.readerCount { readers.append(try SourceDatabase.reader(of: path)) }
        self.readers = ReaderConnections(readers)
        self.notices = notices
    }

    /// Checks the whole file, which takes time in proportion to its size. Damage is reported as a sentence, and the next start sets the
    /// file aside.
    package func checkIntegrity() -> String? { DamageMark(of: path).checkIntegrity() }

    /// Moves the log into the file and closes it.
    package func close() {
        readers.waitForEach { $0.database.close() }
        writer.wait { $0.database.closeWhole() }
    }

    // MARK: - Turns

    /// Runs one transaction.
    @discardableResult
    func change<Result: Sendable>(_ body: (SourceDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try writer.wait { sources throws(SourceFault) in
            try sources.change { () throws(SourceFault) in try body(sources) }
        }
    }

    /// Runs several queries on one snapshot of the file.
    func look<Result: Sendable>(_ body: (SourceDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try readers.ask { sources throws(SourceFault) in try sources.look { () throws(SourceFault) in try body(sources) } }
    }

    /// Makes a statement of the writer fail, for tests.
    func failAfter(steps: Int?) { writer.wait { $0.database.failAfter(steps: steps) } }
}
