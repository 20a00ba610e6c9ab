/// Data of a backup that replaces the existing data while the hub starts. The old data stays beside it.
///
/// `restore` holds the data to take over, `replaced` the old data, and `restored` marks that no hub has started with the new data yet. Each
/// step can be interrupted and repeated. A hub that finds `restored` at its start failed during the last one, and brings the old data back.
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
    /// Marks a backup with secrets, whose folders are exchanged as a whole.
    static let secretsMark = ".secrets"
    private static let beside = ["-wal", "-shm", "-journal"]
    /// Everything that may be exchanged, with and without secrets.
    static let units = BackupPart.units(withSecrets: true) + [BackupPart.workers]

    /// Takes the data over before any store is opened; the process must hold the lock of the data folder. Returns a sentence for the log.
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

    /// Called when the hub has started with the new data.
    package func hasStarted() { Tree.remove(trial) }

    // MARK: - Steps, each of which may be repeated

    func begin() throws(SourceFault) {
        guard !Tree.exists("\(staged)/.begun") else { return }
        Tree.remove(replaced)
        guard unsafe mkdir(replaced, 0o700) == 0 else { throw Tree.fault(replaced, errno) }
        _ = try WrittenFile("\(staged)/.begun")
    }

    /// Units that are not in their place yet.
    var waiting: [String] {
        BackupPart.units(withSecrets: Tree.exists("\(staged)/\(Self.secretsMark)")).filter { Tree.exists("\(staged)/\($0)") }
    }

    /// A file in `replaced` with the state of a unit: `new` while the data folder holds the backup's, `back` while it holds none.
    private func mark(_ state: String, _ unit: String) -> String {
        "\(replaced)/.\(state)-\(unit.split(separator: "/").joined(separator: "+"))"
    }

    func put(_ unit: String) throws(SourceFault) {
        if !Tree.exists(mark("new", unit)) { _ = try WrittenFile(mark("new", unit)) }
        try Tree.makeFolders(above: "\(data)/\(unit)")
        try Tree.move("\(staged)/\(unit)", to: "\(data)/\(unit)")
    }

    /// Moves a unit away. The log of a store goes first: without its store it is useless, and with another store it would do harm.
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

    /// Moves a unit of the backup away.
    func moveAway(_ unit: String) throws(SourceFault) {
        guard Tree.exists(mark("new", unit)) else { return }
        for name in Self.beside.map({ unit + $0 }) + [unit] where Tree.exists("\(data)/\(name)") {
            try Tree.makeFolders(above: "\(trial)/\(name)")
            Tree.remove("\(trial)/\(name)")
            try Tree.move("\(data)/\(name)", to: "\(trial)/\(name)")
        }
        try Tree.move(mark("new", unit), to: mark("back", unit))
    }

    /// Moves an old unit back.
    func bringBack(_ unit: String) throws(SourceFault) {
        guard Tree.exists(mark("back", unit)) else { return }
        for name in [unit] + Self.beside.map({ unit + $0 }) where Tree.exists("\(replaced)/\(name)") {
            try Tree.move("\(replaced)/\(name)", to: "\(data)/\(name)")
        }
        Tree.remove(mark("back", unit))
    }
}
