/// Restores a backup into a data folder. The backup is written beside the data and checked when it is complete; only then is it left for
/// the hub's next start, which takes it over (`RestoredData`). A failure before that leaves the data unchanged.
package import BatonSeams
import Crypto
import Disk
import Glibc
import SQLite
import Synchronization

package final class Restore: Sendable {
    /// Conditions for accepting a backup.
    package struct Rules: Sendable {
        /// The id of the hub that takes it over; `nil` if it has none yet.
        var hub: String?
        /// Whether the backup of another hub is accepted.
        var takesOthers: Bool

        package init(hub: String?, takesOthers: Bool) {
            self.hub = hub
            self.takesOthers = takesOthers
        }
    }

    private let data: String
    private let rules: Rules
    private let work: WorkFolder
    private let reader: Mutex<BackupReader>

    package init(into data: String, _ rules: Rules) throws(SourceFault) {
        self.data = data
        self.rules = rules
        let work = try WorkFolder("\(data)/restore.part")
        self.work = work
        reader = Mutex(
            BackupReader(into: work.path) { list throws(SourceFault) in
                if let own = rules.hub, own != list.hub, !rules.takesOthers {
                    throw SourceFault(
                        .conflict,
                        "This is a backup of another hub, “\(list.name)” (\(list.hub)). Where this hub is to become that one: --other-hub. Nothing was changed."
                    )
                }
                let needed = list.parts.reduce(0) { $0 + $1.bytes }
                if let free = DiskSpace(at: work.path)?.freeBytes, free < needed + (64 << 20) { throw Tree.fault(work.path, ENOSPC) }
            })
    }

    /// Takes the next bytes. Blocks on the disk.
    package func take(_ bytes: [UInt8]) throws(SourceFault) { try reader.withLock { reader throws(SourceFault) in try reader.take(bytes) } }

    /// Checks each store after all bytes have arrived, upgrades it to the current format, and prepares everything for the next start.
    /// Blocks on the disk.
    package func stage() throws(SourceFault) -> Restored {
        let list = try reader.withLock { reader throws(SourceFault) in try reader.finish() }
        try StagedStores.open(in: work.path, list)
        if list.hasSecrets { _ = try WrittenFile("\(work.path)/\(RestoredData.secretsMark)") }
        try Tree.syncFiles(below: work.path)
        let again = missing(list)
        let folder = RestoredData.staged(in: data)
        Tree.remove(folder)
        try Tree.move(work.path, to: folder)
        Tree.sync(folder: data)
        return Restored(list: list, again: again)
    }

    /// One sentence for each secret that has to be entered again.
    private func missing(_ list: BackupList) -> [String] {
        var sentences: [String] = []
        guard !list.hasSecrets else { return sentences }
        if !list.leftOut.users.isEmpty {
            sentences.append("New passwords of users: \(list.leftOut.users.joined(separator: ", ")) (baton user passwd NAME).")
        }
        if !list.leftOut.passwords.isEmpty {
            let names = list.leftOut.passwords.joined(separator: ", ")
            sentences.append("New passwords of other programs: \(names) (baton mpd password add NAME --role ROLE).")
        }
        let sources = list.leftOut.sources.filter { !Tree.exists("\(data)/sources/\($0).secret") }
        if !sources.isEmpty {
            sentences.append("Passwords of accounts at servers: \(sources.joined(separator: ", ")) (baton source set NAME).")
        }
        let workers = list.leftOut.workers.filter { !Tree.exists("\(data)/workers/\($0).token") }
        if !workers.isEmpty {
            sentences.append("Tokens of workers: \(workers.joined(separator: ", ")) (baton worker add NAME URL --token-file FILE).")
        }
        if let own = rules.hub, own != list.hub { sentences.append("Devices have to be paired again, since the backup holds no keys.") }
        return sentences
    }
}

/// The result of a restore.
package struct Restored: Sendable {
    package var list: BackupList
    /// One sentence for each secret that has to be entered again.
    package var again: [String]
}

/// Stores of a backup before they are taken over. Each is opened as the hub opens it, which upgrades it to the current format.
enum StagedStores {
    private typealias Opening = @Sendable (_ folder: String) throws(SourceFault) -> any StagedStore

    private static let stores: [(name: String, open: Opening)] = [
        ("library.db", { folder throws(SourceFault) in try LibraryStore(folder: folder) }),
        ("sources.db", { folder throws(SourceFault) in try SourceStore(folder: folder) }),
        ("users.db", { folder throws(SourceFault) in try UserStore(folder: folder) }),
        ("gen.db", { folder throws(SourceFault) in try JobStore(folder: folder) }),
        ("dialects.db", { folder throws(SourceFault) in try DialectStore(folder: folder) }),
        ("kept.db", { folder throws(SourceFault) in try KeptStore(folder: folder) { OpenSSL().sha256($0) } }),
    ]

    /// Opens all stores. One that the backup lacks starts empty.
    static func open(in folder: String, _ list: BackupList) throws(SourceFault) {
        let held = Set(list.parts.map(\.name))
        try journal(in: folder, held.contains("state.db"))
        for (name, open) in stores where held.contains(name) {
            let store = try open(folder)
            store.close()
            guard store.notices.isEmpty else { throw BackupList.damaged }
        }
        Tree.remove("\(folder)/kept")
        Tree.remove("\(folder)/lock")
    }

    /// Gives the queue a new epoch, by noting that the file was open in an earlier boot of the machine. Otherwise remotes that have seen
    /// later revisions would take the restored ones for older.
    private static func journal(in folder: String, _ isHeld: Bool) throws(SourceFault) {
        guard isHeld else { throw BackupList.damaged }
        do throws(JournalFault) {
            let state = try StateFile(in: DataFolder(folder), freshEpoch: "restored")
            _ = try state.load()
            let notices = state.health.notices
            state.close()
            guard notices.isEmpty else { throw JournalFault(.damaged, notices[0]) }
        } catch {
            throw SourceFault(error)
        }
        let path = "\(folder)/state.db"
        do throws(DatabaseError) {
            let database = try Database(path)
            try database.execute("UPDATE journal SET open_boot = 'restored'")
            database.closeWhole()
        } catch {
            throw error.sourceFault(at: path)
        }
    }
}

/// The common interface of all stores.
private protocol StagedStore {
    /// Sentences about problems found while opening the file.
    var notices: [String] { get }
    func close()
}

extension LibraryStore: StagedStore {}
extension SourceStore: StagedStore {}
extension UserStore: StagedStore {}
extension JobStore: StagedStore {}
extension KeptStore: StagedStore {}
extension DialectStore: StagedStore {}
