import BatonSeams

/// The bytes of a track that outlive their server: when they stop before the end, `recovery` finds another source for the
/// rest.
///
/// The threads of the players read them. Bytes before the break are not read again, except for a few at the seam, which show
/// whether another place has the same file.
actor SteadyBytes: ByteSource {
    /// The length at the first server. Only another source with the same length continues the bytes.
    package nonisolated let length: Int64?
    /// Whether the first server can send a part of the track.
    package nonisolated let hasRanges: Bool
    /// The version at the first server, also after another source has continued the bytes.
    package nonisolated let version: ContentVersion?

    private var content: any ByteSource
    private let recovery: StreamRecovery
    /// The last bytes that were read, and their position.
    private var seam = StreamSeam()
    /// Number of times that the content was replaced.
    private var changes = 0
    private var hasEnded = false
    /// The fault when nothing was found; later reads throw it at once.
    private var lost: SourceFault?
    /// Waiting reads, each with the stream that ends its wait.
    private var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    private var reads = 0

    init(_ content: any ByteSource, _ recovery: StreamRecovery) {
        self.content = content
        self.recovery = recovery
        length = content.length
        hasRanges = content.hasRanges
        version = content.version
    }

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        while !hasEnded {
            let before = changes
            do throws(SourceFault) {
                guard let piece = try await piece(at: position, count: count) else { continue }
                seam.note(piece, at: position)
                return piece
            } catch {
                if let lost { throw lost }
                guard error.code != .cancelled else { throw error }
                // Another read may have replaced the content meanwhile.
                if before == changes { try await recover(error) }
            }
        }
        return []
    }

    /// A piece of the content; `nil` when the content was replaced meanwhile.
    private func piece(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8]? {
        let content = content
        let (left, leaving) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        reads += 1
        let number = reads
        waiting[number] = leaving
        defer { waiting[number] = nil }
        let answer = await withTaskGroup(of: Result<[UInt8]?, SourceFault>.self) { group in
            group.addTask {
                do throws(SourceFault) {
                    return .success(try await content.read(at: position, count: count))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                for await _ in left { return .success(nil) }
                return .failure(.cancelled)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
        return try answer.get()
    }

    /// Continues elsewhere, if there is another place, since the server has stalled and the player will soon run out of data.
    /// Without one the server may still continue.
    func leave() async {
        guard !waiting.isEmpty, !hasEnded else { return }
        let before = changes
        guard let found = await recovery.leave(at: seam, length: length), before == changes else { return }
        use(found)
        for read in waiting.values { read.yield() }
    }

    private func recover(_ fault: SourceFault) async throws(SourceFault) {
        let before = changes
        let found: StreamRecovery.Found
        do throws(SourceFault) {
            found = try await recovery.recover(from: fault, at: seam, length: length)
        } catch {
            if error.code != .cancelled { lost = error }
            throw error
        }
        guard before == changes else { return }
        use(found)
    }

    private func use(_ found: StreamRecovery.Found) {
        changes += 1
        switch found {
        case .bytes(let bytes): content = bytes
        case .elsewhere: hasEnded = true
        }
    }
}

/// The last bytes that were read of a content.
struct StreamSeam: Sendable {
    private(set) var start: Int64 = 0
    private(set) var bytes: [UInt8] = []
    /// Number of bytes at which two encodings of one track never match by chance.
    private static let mostBytes = 8 * 1024

    var end: Int64 { start + Int64(bytes.count) }

    mutating func note(_ piece: [UInt8], at position: Int64) {
        guard !piece.isEmpty else { return }
        if piece.count >= Self.mostBytes || position != end {
            bytes = Array(piece.suffix(Self.mostBytes))
        } else {
            bytes = bytes.suffix(Self.mostBytes - piece.count) + piece
        }
        start = position + Int64(piece.count) - Int64(bytes.count)
    }

    /// True when this content of this length equals the one that was read.
    func fits(_ other: any ByteSource, _ length: Int64?) async -> Bool {
        guard let length, other.length == length, other.hasRanges, !bytes.isEmpty else { return false }
        var found: [UInt8] = []
        while found.count < bytes.count {
            guard let piece = try? await other.read(at: start + Int64(found.count), count: bytes.count - found.count), !piece.isEmpty
            else { return false }
            found += piece
        }
        return found == bytes
    }
}
