package import BatonSeams

/// A file that is nowhere but in memory, for players and pages that do not ask the system for it.
package struct MemoryFile: FileRange {
    package let stamp: FileStamp
    package var descriptor: Int32 { -1 }
    private let byte: @Sendable (Int64) -> UInt8

    package init(
        _ stamp: FileStamp = FileStamp(size: 1, modifiedNs: 0, inode: 1), _ byte: @escaping @Sendable (Int64) -> UInt8 = { _ in 0 }
    ) {
        self.stamp = stamp
        self.byte = byte
    }

    package func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] {
        (position..<min(position + Int64(count), stamp.size)).map(byte)
    }
}

extension Playable.Location {
    package static func file(_ path: String) -> Playable.Location { .file(NamedFile(path, MemoryFile())) }
}
