/// The files of a piece that a service has made: copied into the job's folder, whole or not at all.
import BatonSeams
import Glibc

struct ArtifactFiles: Sendable {
    private let name: String
    private let map: ArtifactMap?
    private let files: any FileReading

    /// Three hours of stereo in 24 bits.
    private static let mostBytes: Int64 = 4 << 30
    private static let pieceBytes = 256 << 10

    init(_ name: String, _ map: ArtifactMap?, _ files: any FileReading) {
        self.name = name
        self.map = map
        self.files = files
    }

    var isMapped: Bool { map != nil }

    /// A file that the worker names on its own disk; only below the folder that is mapped.
    func copy(_ path: String, to target: String, in folder: String) throws(SourceFault) -> Int64 {
        guard let map, path.hasPrefix(map.remote + "/") else {
            throw SourceFault(
                .failed, "The worker “\(name)” says that its file is \(DisplayLine.cut(path, 160)), which artifact_map does not reach.")
        }
        let source = try files.open(map.local + path.dropFirst(map.remote.count), below: [map.local])
        let out = try NewSound("\(folder)/\(target)")
        var position: Int64 = 0
        while true {
            let bytes = try source.read(at: position, count: Self.pieceBytes)
            if bytes.isEmpty { break }
            position += Int64(bytes.count)
            try add(bytes, to: out, position)
        }
        guard position == source.stamp.size else { throw changed }
        try out.finish()
        return position
    }

    /// The bytes as the worker sends them.
    func write(_ source: any ByteSource, to target: String, in folder: String) async throws(SourceFault) -> Int64 {
        let out = try NewSound("\(folder)/\(target)")
        var position: Int64 = 0
        while true {
            let bytes = try await source.read(at: position, count: Self.pieceBytes)
            if bytes.isEmpty { break }
            position += Int64(bytes.count)
            try add(bytes, to: out, position)
        }
        if let length = source.length, length != position { throw changed }
        try out.finish()
        return position
    }

    func write(_ bytes: [UInt8], to target: String, in folder: String) throws(SourceFault) {
        let out = try NewSound("\(folder)/\(target)")
        try out.append(bytes)
        try out.finish()
    }

    private var changed: SourceFault { SourceFault(.unavailable, "The file of the worker “\(name)” was not whole.") }

    private func add(_ bytes: [UInt8], to out: NewSound, _ position: Int64) throws(SourceFault) {
        guard position <= Self.mostBytes else { throw SourceFault(.failed, "The file of the worker “\(name)” is too large.") }
        try out.append(bytes)
    }

    /// As the header of the WAV file says, whatever the worker says.
    func durationMs(of target: String, in folder: String) throws(SourceFault) -> Int {
        let file = try files.open(plainly: "\(folder)/\(target)")
        guard let ms = WAVHead.durationMs(try file.read(at: 0, count: 4096), size: file.stamp.size) else {
            throw SourceFault(.failed, "What the worker “\(name)” made is no WAV file with sound in it.")
        }
        return ms
    }
}

/// What the first bytes of a WAV file say of its length.
enum WAVHead {
    static func durationMs(_ head: [UInt8], size: Int64) -> Int? {
        guard head.count >= 12, head.starts(with: Array("RIFF".utf8)), Array(head[8..<12]) == Array("WAVE".utf8) else { return nil }
        var place = 12
        var rate: Int64 = 0
        while place + 8 <= head.count {
            let length = Int64(number(head, place + 4))
            if head[place..<place + 4].elementsEqual("fmt ".utf8), place + 20 <= head.count { rate = Int64(number(head, place + 16)) }
            if head[place..<place + 4].elementsEqual("data".utf8) {
                // Less may be there than the header promises.
                let bytes = min(length, size - Int64(place) - 8)
                guard rate > 0, bytes > 0 else { return nil }
                let ms = bytes * 1000 / rate
                return ms > 0 ? Int(ms) : nil
            }
            guard length < Int64(head.count) else { return nil }
            place += 8 + Int(length) + Int(length % 2)
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
    }
}

/// A file that gets its name when it is whole.
private final class NewSound {
    private let path: String
    private let draft: String
    private let descriptor: Int32

    init(_ path: String) throws(SourceFault) {
        self.path = path
        draft = path + ".part"
        descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw Self.fault(errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(SourceFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { throw Self.fault(errno) }
            rest = rest.dropFirst(written)
        }
    }

    func finish() throws(SourceFault) {
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw Self.fault(errno) }
    }

    private static func fault(_ cause: Int32) -> SourceFault {
        cause == ENOSPC || cause == EDQUOT
            ? SourceFault(.quota, "The disk is full, so the piece cannot be kept.")
            : SourceFault(.failed, "The piece cannot be written: \(String(cString: strerror(cause))).")
    }
}
