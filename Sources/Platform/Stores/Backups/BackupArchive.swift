/// A backup as the bytes of one tar archive. The bytes are assembled while they are read, so the archive is never on the disk as a whole.
package import BatonSeams
import Glibc
import Synchronization

package final class BackupArchive: Sendable {
    enum Segment: Sendable {
        case bytes([UInt8])
        /// A file, which must be unchanged since its digest was computed.
        case file(path: String, FileStamp)

        var length: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, let stamp): stamp.size
            }
        }
    }

    package let length: Int64
    package let list: BackupList
    private let segments: [(start: Int64, segment: Segment)]
    /// The file that is being read.
    private let opened = Mutex<(path: String, file: OpenFileRange)?>(nil)
    /// Copies of the stores, removed as soon as the last byte was read.
    private let work: WorkFolder

    init(_ segments: [Segment], list: BackupList, in work: WorkFolder) {
        var start: Int64 = 0
        self.segments = segments.map { segment in
            defer { start += segment.length }
            return (start, segment)
        }
        length = start
        self.list = list
        self.work = work
    }

    /// Blocks on the disk.
    package func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] {
        guard (0..<length).contains(position), count > 0 else { return [] }
        let place = segments.partitioningIndex { $0.start > position } - 1
        let (start, segment) = segments[place]
        let wanted = Int(min(Int64(count), start + segment.length - position))
        let bytes: [UInt8]
        switch segment {
        case .bytes(let all): bytes = Array(all[Int(position - start)..<Int(position - start) + wanted])
        case .file(let path, let stamp): bytes = try file(path, stamp).read(at: position - start, count: wanted)
        }
        guard !bytes.isEmpty else { throw SourceFault(.unavailable, "A file changed while it was saved. Make the backup again.") }
        if position + Int64(bytes.count) == length { work.remove() }
        return bytes
    }

    private func file(_ path: String, _ stamp: FileStamp) throws(SourceFault) -> OpenFileRange {
        if let opened = opened.withLock({ $0 }), opened.path == path { return opened.file }
        guard let file = OpenFileRange(path), file.stamp == stamp else {
            throw SourceFault(.unavailable, "\(path) changed while it was saved. Make the backup again.")
        }
        opened.withLock { $0 = (path, file) }
        return file
    }
}

extension Array {
    /// The index of the first element that fulfils the condition, in a list whose later elements all do.
    fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A temporary folder in the data folder, accessible only to the hub's user.
final class WorkFolder: Sendable {
    let path: String

    /// Removes the leftovers of an earlier run.
    init(_ path: String) throws(SourceFault) {
        self.path = path
        Tree.remove(path)
        guard unsafe mkdir(path, 0o700) == 0 else { throw Tree.fault("The folder \(path)", errno) }
    }

    func remove() { Tree.remove(path) }

    deinit { remove() }
}
