/// `sources.db`: accounts at servers without their secrets, what each source remembers, the outbox, the mirrors of their
/// rows, and stations of radio.
///
/// It may be asked from any thread but the loop; each connection has a lock of its own. One connection writes, and never for
/// long: what is large is written in pieces, so that a note for the outbox does not wait behind a mirror. The others read,
/// each the file as it was when its transaction began. WAL with `synchronous=NORMAL`, as `state.db`: what was told to be kept
/// survives the death of this process.
package import BatonSeams
import SQLite

package final class SourceStore: Sendable {
    package let path: String
    /// For people: what happened when it was opened.
    package let notices: [String]

    private let writer: LockedConnection<SourceDatabase>
    private let readers: ReaderConnections<SourceDatabase>
    let log: Log
    private static let readerCount = 2

    /// Opens what is there or starts anew, in a data folder that exists.
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

    /// Looks through the whole file, which takes as long as it is large. Damage is a sentence, and the next start sets the file aside.
    package func lookThrough() -> String? { DamageMark(of: path).lookThrough() }

    /// Moves the log into the file and lets go of it.
    package func close() {
        readers.waitForEach { $0.database.close() }
        writer.wait { $0.database.closeWhole() }
    }

    // MARK: - Turns

    /// One transaction.
    @discardableResult
    func change<Result: Sendable>(_ body: (SourceDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try writer.wait { sources throws(SourceFault) in
            try sources.change { () throws(SourceFault) in try body(sources) }
        }
    }

    /// Several questions to the file as it is at one moment.
    func look<Result: Sendable>(_ body: (SourceDatabase) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try readers.ask { sources throws(SourceFault) in try sources.look { () throws(SourceFault) in try body(sources) } }
    }

    /// Makes a statement of the writer fail, for tests.
    func failAfter(steps: Int?) { writer.wait { $0.database.failAfter(steps: steps) } }
}
