/// Reads a backup piece by piece and writes its parts into a folder. If a part differs from the list at the beginning, the backup is
/// refused and the folder cannot be used.
import BatonCore
import BatonSeams
import Crypto

struct BackupReader: ~Copyable {
    private let folder: String
    private var state = State.header
    private var list: BackupList?
    /// Bytes of an incomplete block.
    private var rest: [UInt8] = []
    private var first: [UInt8] = []
    private var header = TarHeader(name: "", bytes: 0)
    private var left: Int64 = 0
    private var next = 0
    private var file: WrittenFile?
    private var hash = RunningHash()
    /// Check of the list, before anything is written.
    private let isAllowed: (BackupList) throws(SourceFault) -> Void

    private enum State { case header, content, padding, end }

    /// `isAllowed` is called as soon as the list is read.
    init(into folder: String, isAllowed: @escaping @Sendable (BackupList) throws(SourceFault) -> Void) {
        self.folder = folder
        self.isAllowed = isAllowed
    }

    mutating func take(_ bytes: [UInt8]) throws(SourceFault) {
        rest += bytes
        var place = 0
        while place < rest.count {
            let taken = try step(rest[place...])
            if taken == 0 { break }
            place += taken
        }
        rest.removeFirst(place)
    }

    /// Called when the backup has arrived completely.
    mutating func finish() throws(SourceFault) -> BackupList {
        guard let list, state == .end, rest.isEmpty, next == list.parts.count else {
            throw SourceFault(.unreadable, "The backup ends too early; nothing was changed.")
        }
        return list
    }

    /// Returns the number of bytes that were used.
    private mutating func step(_ bytes: ArraySlice<UInt8>) throws(SourceFault) -> Int {
        switch state {
        case .header:
            guard bytes.count >= TarHeader.blockBytes else { return 0 }
            try begin(bytes.prefix(TarHeader.blockBytes))
            return TarHeader.blockBytes
        case .content:
            let piece = bytes.prefix(Int(clamping: left))
            try store(piece)
            return piece.count
        case .padding:
            let count = min(bytes.count, Int(left))
            left -= Int64(count)
            if left == 0 { state = .header }
            return count
        case .end: return bytes.count
        }
    }

    private mutating func begin(_ block: ArraySlice<UInt8>) throws(SourceFault) {
        if block.allSatisfy({ $0 == 0 }), let list, next == list.parts.count {
            state = .end
            return
        }
        guard let header = TarHeader(block) else { throw BackupList.damaged }
        self.header = header
        left = header.bytes
        hash = RunningHash()
        if let list {
            guard next < list.parts.count, list.parts[next].name == header.name, list.parts[next].bytes == header.bytes,
                BackupPart(named: header.name) != nil
            else { throw BackupList.damaged }
            let path = "\(folder)/\(header.name)"
            try Tree.makeFolders(above: path)
            file = try WrittenFile(path)
        } else {
            guard header.name == BackupList.fileName, header.bytes <= Int64(BackupList.mostBytes) else { throw BackupList.damaged }
        }
        state = .content
        if left == 0 { try end() }
    }

    private mutating func store(_ piece: ArraySlice<UInt8>) throws(SourceFault) {
        left -= Int64(piece.count)
        if let file {
            hash.add(Array(piece))
            try file.write(piece)
        } else {
            first += piece
        }
        if left == 0 { try end() }
    }

    /// Finishes one file.
    private mutating func end() throws(SourceFault) {
        if let list {
            guard Hex.text(hash.finish()) == list.parts[next].sha256 else {
                throw SourceFault(.unreadable, "The backup is damaged at \(header.name); nothing was changed.")
            }
            file = nil
            next += 1
        } else {
            let read = try BackupList(first)
            guard read.parts.allSatisfy({ BackupPart(named: $0.name) != nil }) else { throw BackupList.damaged }
            try isAllowed(read)
            list = read
            first = []
        }
        left = Int64(header.padding)
        state = left == 0 ? .header : .padding
    }
}
