/// Copies of tracks that people want to have here: `kept.db` says which and why, and the folder `kept` holds the files.
///
/// Names of files are hashes, since an item's name may hold any character. A copy is written under another name and gets its own
/// when it is whole and its digest is known. A copy in part stays over a restart and is gone on with. A file counts only while its
/// size, time and inode are what they were when it was left; otherwise it is read, and counts when its digest is the same.
///
/// Calls come from threads that may wait for the disk. The lock guards the list of copies, and is never held over a call to the disk.
package import BatonCore
package import BatonSeams
import Disk
import Glibc
import SQLite
import Synchronization
import TrackCache

package final class KeptStore: KeptTracks {
    struct Copy: Equatable, Sendable {
        var file: String
        var stamp: FileStamp
    }

    let folder: String
    let digest: @Sendable ([UInt8]) -> [UInt8]
    let database: LockedConnection<KeptDatabase>
    let copies = Mutex<[ItemURI: Copy]>([:])
    /// For people: what happened when it was opened.
    package let notices: [String]

    static let partEnding = ".part"
    static let pieceBytes = 256 * 1024

    /// `digest` is SHA-256. Blocks on the disk.
    package init(folder data: String, digest: @escaping @Sendable ([UInt8]) -> [UInt8]) throws(SourceFault) {
        self.digest = digest
        folder = data + "/kept"
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.fault("The folder of kept tracks", errno) }
        let path = data + "/kept.db"
        var notices: [String] = []
        let opening = DatabaseOpening(
            path: path, schema: .kept, settings: KeptDatabase.settings,
            loss: "what was to be kept is in the file set aside, and has to be named again")
        database = LockedConnection(KeptDatabase(try opening.openForStore(&notices), at: path))
        self.notices = notices
    }

    package func close() {
        database.wait { $0.database.closeWhole() }
    }

    package func has(_ uri: ItemURI) -> Bool { copies.withLock { $0[uri] != nil } }

    /// The system keeps a part for its administrator, and another one stays free, so that what must be written can be: a twentieth
    /// of the disk, at most 256 MiB.
    package var spareBytes: Int64? {
        DiskSpace(at: folder).map { max(0, $0.freeBytes - min(256 << 20, $0.totalBytes / 20)) }
    }

    // MARK: - Names

    func key(_ uri: ItemURI) -> String { Hex.text(digest(Array(uri.text.utf8)).prefix(20)) }

    func part(of uri: ItemURI) -> String { "\(folder)/\(key(uri))\(Self.partEnding)" }

    /// What the file pretends to be, as its name did.
    static func ending(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        let end = name[name.index(after: dot)...].lowercased()
        let isPlain = (1...10).contains(end.utf8.count) && end.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        return isPlain && end != "part" ? ".\(end)" : ""
    }

    static func fault(_ what: String, _ cause: Int32) -> SourceFault {
        cause == ENOSPC || cause == EDQUOT
            ? SourceFault(.quota, "The disk is full, so nothing more is kept.")
            : SourceFault(.unavailable, "\(what) cannot be written: \(unsafe String(cString: strerror(cause))).")
    }
}
