/// Makes a backup of a data folder while the hub works in it.
///
/// SQLite copies each store over a read-only connection, so the hub can go on writing. Each copy is a snapshot, and all snapshots are taken
/// within seconds. Tracks that can be downloaded again, pictures and recorded radio are excluded. Secrets leave the data folder only on
/// request.
import BatonCore
package import BatonSeams
import Crypto
import Disk
import SQLite

package struct BackupMaking: Sendable {
    private let data: String
    private var list: BackupList
    private static let pieceBytes = 1 << 20
    /// Free space to leave on the disk for the hub.
    private static let spareBytes: Int64 = 64 << 20

    package init(of data: String, _ list: BackupList) {
        self.data = data
        self.list = list
    }

    /// Blocks on the disk, in proportion to the size of the stores.
    package consuming func make() throws(SourceFault) -> BackupArchive {
        let stores = BackupPart.databases.filter { Tree.exists("\(data)/\($0)") }
        let needed = stores.reduce(0) { $0 + Tree.size(of: "\(data)/\($1)") + Tree.size(of: "\(data)/\($1)-wal") }
        if let free = DiskSpace(at: data)?.freeBytes, free < needed + Self.spareBytes {
            throw SourceFault(
                .quota,
                "The disk of \(data) has \(free >> 20) MiB left, and a backup needs \((needed + Self.spareBytes) >> 20) MiB there for a moment. Free some space and try again."
            )
        }
        let work = try WorkFolder("\(data)/backup.part")
        for store in stores {
            try copy(store, into: work.path)
            try append(store, at: "\(work.path)/\(store)")
        }
        for name in smallFiles() {
            let path = "\(work.path)/\(name)"
            guard try Self.copy("\(data)/\(name)", to: path) else { continue }
            try append(name, at: path)
        }
        for job in FolderNames.visible(in: "\(data)/generated").sorted() {
            for file in FolderNames.visible(in: "\(data)/generated/\(job)").sorted() {
                let name = "generated/\(job)/\(file)"
                if BackupPart(named: name) == .generated { try append(name, at: "\(data)/\(name)") }
            }
        }
        let first = list.encoded
        guard let header = TarHeader(name: BackupList.fileName, bytes: Int64(first.count)).encoded else { throw BackupList.damaged }
        let padding = [UInt8](repeating: 0, count: TarHeader(name: "", bytes: Int64(first.count)).padding)
        return BackupArchive([.bytes(header + first + padding)] + segments + [.bytes(TarHeader.end)], list: list, in: work)
    }

    // MARK: - Parts

    private var segments: [BackupArchive.Segment] = []

    /// Adds a file. One that cannot be read, or whose name an archive cannot hold, is skipped.
    private mutating func append(_ name: String, at path: String) throws(SourceFault) {
        guard let file = OpenFileRange(path), let header = TarHeader(name: name, bytes: file.stamp.size).encoded else { return }
        let hash = RunningHash()
        var position: Int64 = 0
        while position < file.stamp.size {
            let piece = try file.read(at: position, count: Self.pieceBytes)
            guard !piece.isEmpty else { break }
            hash.add(piece)
            position += Int64(piece.count)
        }
        let padding = TarHeader(name: name, bytes: file.stamp.size).padding
        segments += [.bytes(header), .file(path: path, file.stamp), .bytes([UInt8](repeating: 0, count: padding))]
        list.parts.append(BackupList.Part(name: name, bytes: file.stamp.size, sha256: Hex.text(hash.finish())))
    }

    /// Names of small files, which are copied so that they do not change while the archive is read.
    private mutating func smallFiles() -> [String] {
        let names = [BackupPart.hubID, BackupPart.workers]
        let secrets = ["keys", "sources", "workers"].flatMap { folder in
            FolderNames.visible(in: "\(data)/\(folder)").sorted().map { "\(folder)/\($0)" }
        }.filter { BackupPart(named: $0) == .secret && !$0.hasSuffix(".new") }
        guard !list.hasSecrets else { return names + secrets }
        func owners(_ folder: String, _ ending: String) -> [String] {
            secrets.filter { $0.hasPrefix(folder) && $0.hasSuffix(ending) }.map {
                String($0.dropFirst(folder.count).dropLast(ending.count))
            }
        }
        list.leftOut.sources = owners("sources/", ".secret")
        list.leftOut.workers = owners("workers/", ".token")
        return names
    }

    /// False if there is no such file.
    private static func copy(_ path: String, to new: String) throws(SourceFault) -> Bool {
        guard let file = OpenFileRange(path) else { return false }
        try Tree.makeFolders(above: new)
        let copy = try WrittenFile(new)
        var position: Int64 = 0
        while position < file.stamp.size {
            let piece = try file.read(at: position, count: pieceBytes)
            guard !piece.isEmpty else { break }
            try copy.write(piece)
            position += Int64(piece.count)
        }
        return true
    }

    // MARK: - Stores

    private mutating func copy(_ store: String, into folder: String) throws(SourceFault) {
        let path = "\(data)/\(store)"
        do throws(DatabaseError) {
            let source = try Database(path)
            source.waitForLocks(milliseconds: 5_000)
            let copy = try source.copied(to: "\(folder)/\(store)")
            try tidy(store, copy)
            copy.close()
        } catch {
            throw error.sourceFault(at: path)
        }
    }

    /// Removes stored answers to repeated commands, which are valid only for the hub that gave them.
    private mutating func tidy(_ store: String, _ copy: Database) throws(DatabaseError) {
        try copy.execute("PRAGMA secure_delete = ON")
        switch store {
        case "state.db", "library.db":
            // The oldest formats have no answers.
            guard try copy.first("SELECT 1 FROM sqlite_master WHERE name = 'answer'", [], as: { $0.int(0) }) != nil else { return }
            try copy.execute("DELETE FROM answer")
        case "users.db" where !list.hasSecrets:
            var names: [String] = []
            try copy.each("SELECT name FROM user WHERE hash IS NOT NULL ORDER BY key") { names.append($0.text(0)) }
            list.leftOut.users = names
            try copy.execute(
                "UPDATE user SET rounds = NULL, blocks = NULL, lanes = NULL, salt = NULL, hash = NULL; DELETE FROM session; VACUUM")
        case "dialects.db" where !list.hasSecrets:
            var names: [String] = []
            try copy.each("SELECT dialect || '/' || name FROM password ORDER BY dialect, key") { names.append($0.text(0)) }
            list.leftOut.passwords = names
            try copy.execute("DELETE FROM password; VACUUM")
        default: break
        }
    }
}
