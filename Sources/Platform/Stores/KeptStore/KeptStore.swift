/// Offline copies of tracks that people want on this machine: `kept.db` has the tracks and reasons, and the folder `kept` the files.
///
/// File names are hashes, since an item's name may contain any character. A copy is written under a temporary name and renamed once it is
/// complete and its digest is known. A partial copy survives a restart and is resumed. A file counts while its size, time and inode are
/// unchanged; otherwise it is read, and counts if its digest is the same.
///
/// Calls come from threads that may wait for the disk. The lock guards the list of copies, and is never held during disk calls.
package import BatonCore
package import BatonSeams
import Disk
import Glibc
import SQLite
import Synchronization

package final class KeptStore: KeptTracks {
    struct Copy: Equatable, Sendable {
        var file: String
        var stamp: FileStamp
    }

    let folder: String
    let digest: @Sendable ([UInt8]) -> [UInt8]
    let database: LockedConnection<StoreDatabase>
    let copies = Mutex<[ItemURI: Copy]>([:])
    /// Messages for people about events while opening.
    package let notices: [String]

    static let partEnding = ".part"
    static let pieceBytes = 256 * 1024

    /// `digest` is SHA-256. Blocks on the disk.
    package init(folder data: String, digest: @escaping @Sendable ([UInt8]) -> [UInt8]) throws(SourceFault) {
        self.digest = digest
        folder = data + "/kept"
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.fault("The folder of kept tracks", errno) }
        (database, notices) = try StoreDatabase.open(
            data + "/kept.db", schema: .kept, logMiB: 2, cacheKB: 1000,
            loss: "what was to be kept is in the file set aside, and has to be named again")
    }

    package func close() {
        database.wait { $0.database.closeWhole() }
    }

    package func has(_ uri: ItemURI) -> Bool { copies.withLock { $0[uri] != nil } }

    /// Free space for copies. The system reserves a part for its administrator; another part, a twentieth of the disk and at most 256 MiB,
    /// stays free for necessary writes.
    package var spareBytes: Int64? {
        DiskSpace(at: folder).map { max(0, $0.freeBytes - min(256 << 20, $0.totalBytes / 20)) }
    }

    // MARK: - Names

    func key(_ uri: ItemURI) -> String { Hex.text(digest(Array(uri.text.utf8)).prefix(20)) }

    func part(of uri: ItemURI) -> String { "\(folder)/\(key(uri))\(Self.partEnding)" }

    /// The extension of the name, as a hint of the format.
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
