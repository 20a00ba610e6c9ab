/// The sound of one play, read from the server while it plays.
///
/// Some servers count each `stream` request as a play, so there is one for each play, sent when the first byte is
/// read. Reads elsewhere (tags at the end, seeking) use `download`, which is not counted. The latest bytes stay
/// in memory, so that a short step back needs no request.
import BatonSeams

actor PlayStream: ByteSource {
    nonisolated let length: Int64?
    nonisolated let version: ContentVersion?
    /// True, because a server that cannot begin at a position is read from the beginning up to it.
    nonisolated let hasRanges = true

    private let open: PlayOpening
    private var transfers: [SoundTransfer]
    private var hasPlayed: Bool
    /// The end of a song whose length was unknown.
    private var foundEnd: Int64?
    private var isBusy = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Limit of connections: one for playback and one for reads elsewhere.
    private static let mostTransfers = 2

    init(_ open: PlayOpening, length: Int64?, version: ContentVersion?, first: SoundTransfer? = nil) {
        self.open = open
        self.length = length
        self.version = version
        transfers = first.map { [$0] } ?? []
        hasPlayed = first != nil
    }

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        guard count > 0, position >= 0, (length ?? foundEnd).map({ position < $0 }) ?? true else { return [] }
        await enter()
        defer { leave() }
        let wasOpen = transfers.contains { $0.reaches(position, step: open.shortStep) }
        do throws(SourceFault) {
            return try await bytes(at: position, count)
        } catch {
            // A server may close a connection that was idle during a long pause.
            guard wasOpen, error.code == .unavailable else { throw error }
            return try await bytes(at: position, count)
        }
    }

    /// The connection for direct forwarding. A transcoded song may be shorter or longer than estimated, so it has none.
    func connection(at position: Int64) async -> BodyConnection? {
        guard case .raw = open.form, let length, position < length else { return nil }
        await enter()
        defer { leave() }
        guard let transfer = try? await transfer(at: position) else { return nil }
        if transfer.end == position, let connection = await transfer.body.connection() { return connection }
        transfers.append(transfer)
        return nil
    }

    private func bytes(at position: Int64, _ count: Int) async throws(SourceFault) -> [UInt8] {
        var transfer = try await transfer(at: position)
        while true {
            if let bytes = transfer.bytes(at: position, count) {
                transfers.append(transfer)
                return bytes
            }
            // After a fault the transfer is dropped, which closes it.
            guard try await transfer.readOn() else { break }
        }
        guard let length, position < length else {
            foundEnd = transfer.end
            return []
        }
        if open.padsEnd { return [UInt8](repeating: 0, count: Int(min(Int64(count), length - position, 65_536))) }
        throw SourceFault(.unavailable, "The server ended the song after \(transfer.end) of \(length) bytes.")
    }

    /// Takes a transfer out of the list while it is in use.
    private func transfer(at position: Int64) async throws(SourceFault) -> SoundTransfer {
        if let at = transfers.firstIndex(where: { $0.reaches(position, step: open.shortStep) }) { return transfers.remove(at: at) }
        if transfers.count >= Self.mostTransfers { transfers.removeFirst().body.cancel() }
        let isFirst = !hasPlayed
        hasPlayed = true
        return try await open.begin(at: position, isFirst: isFirst, length: length)
    }

    /// Waits for its turn, because two reads would compete for one transfer.
    private func enter() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func leave() {
        if waiters.isEmpty { isBusy = false } else { waiters.removeFirst().resume() }
    }
}

/// A response of the server with its position and the latest bytes.
struct SoundTransfer: Sendable {
    private struct Piece: Sendable {
        var start: Int64
        var bytes: [UInt8]
        var end: Int64 { start + Int64(bytes.count) }
    }

    let body: any HTTPBody
    /// The position after the last byte that was read.
    private(set) var end: Int64
    private var pieces: [Piece] = []
    private var held = 0

    private static let mostHeld = 256 * 1_024

    init(_ body: any HTTPBody, at start: Int64) {
        self.body = body
        end = start
    }

    /// Whether reading on reaches this position soon.
    func reaches(_ position: Int64, step: Int64) -> Bool {
        position >= (pieces.first?.start ?? end) && position <= end + step
    }

    /// The bytes at this position; `nil` if they were not read yet. A piece that is wanted as a whole is not copied.
    func bytes(at position: Int64, _ count: Int) -> [UInt8]? {
        guard let piece = pieces.last(where: { $0.start <= position && position < $0.end }) else { return nil }
        if piece.start == position, piece.bytes.count <= count { return piece.bytes }
        let from = Int(position - piece.start)
        return Array(piece.bytes[from..<min(piece.bytes.count, from + count)])
    }

    /// Reads the next piece; returns false at the end.
    mutating func readOn() async throws(SourceFault) -> Bool {
        let bytes: [UInt8]
        do throws(HTTPCallFault) {
            guard let next = try await body.next() else { return false }
            bytes = next
        } catch {
            throw error.asSourceFault
        }
        guard !bytes.isEmpty else { return true }
        pieces.append(Piece(start: end, bytes: bytes))
        end += Int64(bytes.count)
        held += bytes.count
        while held > Self.mostHeld, pieces.count > 1 { held -= pieces.removeFirst().bytes.count }
        return true
    }
}
