/// Data that a backup has brought, while the hub starts: it takes the place of the data that was there, which stays beside it.
///
/// `restore` holds what is to be taken over, `replaced` what was there before, and `restored` says that a hub has yet to start with the new
/// data. Each step can be interrupted and done again. A hub that finds `restored` at its start has not got through the last one, and
/// takes the data from before back.
package import BatonSeams
import Disk
import Glibc

package struct RestoredData: Sendable {
    private let data: String

    package init(in data: String) { self.data = data }

    static func staged(in data: String) -> String { "\(data)/restore" }
    private var staged: String { Self.staged(in: data) }
    private var replaced: String { "\(data)/replaced" }
    private var trial: String { "\(data)/restored" }
    /// Says that the backup has secrets, so that their folders are exchanged as a whole.
    static let secretsMark = ".secrets"
    private static let beside = ["-wal", "-shm", "-journal"]
    /// All that may be exchanged, with and without secrets.
    static let units = BackupPart.units(withSecrets: true) + [BackupPart.workers]

    /// Before any store is opened, by the process that has the lock of the data folder. The result is a sentence for the log.
    package func takeOver() throws(SourceFault) -> String? {
        Tree.remove("\(data)/restore.part")
        Tree.remove("\(data)/backup.part")
        let hasFailed = Tree.exists(trial)
        if hasFailed { try takeBack() }
        guard Tree.exists(staged) else {
            guard hasFailed else { return nil }
            return
                "The hub did not start with the data of the backup, so it has the data from before again. What the backup brought is removed."
        }
        try begin()
        for unit in waiting {
            try setAside(unit)
            try put(unit)
        }
        Tree.sync(folder: data)
        try Tree.move(staged, to: trial)
        Tree.sync(folder: data)
        return
            "The hub has the data of the backup now. What was there before is in \(replaced) until the next restore; delete it when all is well."
    }

    /// The hub has started with it.
    package func hasStarted() { Tree.remove(trial) }

    // MARK: - Steps, each of which may be done twice

    func begin() throws(SourceFault) {
        guard !Tree.exists("\(staged)/.begun") else { return }
        Tree.remove(replaced)
        guard unsafe mkdir(replaced, 0o700) == 0 else { throw Tree.fault(replaced, errno) }
        _ = try WrittenFile("\(staged)/.begun")
    }

    /// What was not put into its place yet.
    var waiting: [String] {
        BackupPart.units(withSecrets: Tree.exists("\(staged)/\(Self.secretsMark)")).filter { Tree.exists("\(staged)/\($0)") }
    }

    /// A file in `replaced` that says how far a unit is: `new` while the data holds that of the backup, `back` while it holds none.
    private func mark(_ state: String, _ unit: String) -> String {
        "\(replaced)/.\(state)-\(unit.split(separator: "/").joined(separator: "+"))"
    }

    func put(_ unit: String) throws(SourceFault) {
        if !Tree.exists(mark("new", unit)) { _ = try WrittenFile(mark("new", unit)) }
        try Tree.makeFolders(above: "\(data)/\(unit)")
        try Tree.move("\(staged)/\(unit)", to: "\(data)/\(unit)")
    }

    /// The log of a store goes first: without its store it is of no use, and behind another one it would do harm.
    func setAside(_ unit: String) throws(SourceFault) {
        for name in Self.beside.map({ unit + $0 }) + [unit] where Tree.exists("\(data)/\(name)") && !Tree.exists("\(replaced)/\(name)") {
            try Tree.makeFolders(above: "\(replaced)/\(name)")
            try Tree.move("\(data)/\(name)", to: "\(replaced)/\(name)")
        }
    }

    private func takeBack() throws(SourceFault) {
        for unit in Self.units { try moveAway(unit) }
        for unit in Self.units { try bringBack(unit) }
        Tree.sync(folder: data)
        Tree.remove(replaced)
        Tree.remove(trial)
    }

    /// Of what the backup has brought.
    func moveAway(_ unit: String) throws(SourceFault) {
        guard Tree.exists(mark("new", unit)) else { return }
        for name in Self.beside.map({ unit + $0 }) + [unit] where Tree.exists("\(data)/\(name)") {
            try Tree.makeFolders(above: "\(trial)/\(name)")
            Tree.remove("\(trial)/\(name)")
            try Tree.move("\(data)/\(name)", to: "\(trial)/\(name)")
        }
        try Tree.move(mark("new", unit), to: mark("back", unit))
    }

    /// Of what was there before.
    func bringBack(_ unit: String) throws(SourceFault) {
        guard Tree.exists(mark("back", unit)) else { return }
        for name in [unit] + Self.beside.map({ unit + $0 }) where Tree.exists("\(replaced)/\(name)") {
            try Tree.move("\(replaced)/\(name)", to: "\(data)/\(name)")
        }
        Tree.remove(mark("back", unit))
    }
}
