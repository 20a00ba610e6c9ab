/// The library as a stream, and tracks as files. Both are handled off the loop, and commands take precedence over a whole library.
import BatonCore
import BatonProtocol
import BatonSeams

extension MusicRoomServer {
    func library(for visitor: RoomVisitor) throws(RoomRefusal) -> HTTPResponse {
        guard let naming = parts.naming() else { throw RoomRefusal(503, "The library is not open yet.") }
        let pages = LibraryPages(naming)
        let isSignedIn = isSignedIn(visitor.session.token)
        return HTTPResponse(
            status: 200, headers: [("content-type", "application/json"), ("cache-control", "no-store")],
            stream: HTTPStream(length: nil, blockingPool: ports.media.quietPool, mayGoOn: isSignedIn) { _, count in
                await pages.next(count)
            })
    }

    func track(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let found = try await names.uri(of: request.parts["track"] ?? "")
        let playable: Playable
        do throws(SourceFault) {
            // An item that the hub has sent is in a queue or a list, where an authorised person put it.
            playable = try await ports.media.playable(of: found.uri, trust: found.wasShown ? .plainPath : .itemsOnly)
        } catch {
            throw RoomRefusal(error)
        }
        guard playable.startMs == nil, playable.endMs == nil else { throw Self.noFile }
        let pool = ports.media.blockingPool
        var response: HTTPResponse
        switch playable.location {
        case .file(let file):
            response = .media(FileBytes(file.content, blockingPool: pool), for: request, type: MediaType.named(file.path), pool)
        case .bytes(let bytes): response = .media(bytes.content, for: request, type: MediaType.named(bytes.name), pool)
        case .parts, .url: throw Self.noFile
        }
        response.stream?.mayGoOn = isSignedIn(visitor.session.token)
        return response
    }

    private static var noFile: RoomRefusal { RoomRefusal(404, "This item is no single file, so the hub cannot hand it out.") }

    /// Checked before each piece: a download ends with its session.
    private func isSignedIn(_ token: String) -> @Loop () -> Bool {
        { [weak self] in
            guard let users = self?.ports.users else { return false }
            return (users.user(withToken: token) ?? users.guest(withPass: token)) != nil
        }
    }
}

/// The library as one list, encoded while its reader takes it. There is one reader, which reads from beginning to end.
actor LibraryPages {
    private let naming: any ContentNaming
    private var position: Int64 = 0
    private var isFirst = true
    private var hasEnded = false
    private var written: [UInt8] = [UInt8(ascii: "[")]
    private var taken = 0

    private static let rows = 200

    init(_ naming: any ContentNaming) { self.naming = naming }

    /// Up to `count` bytes; none at the end, and `nil` if the library can no longer be read.
    func next(_ count: Int) -> [UInt8]? {
        while !hasEnded, written.count - taken < count {
            guard let rows = try? naming.namedTracks(after: position, most: Self.rows) else { return nil }
            write(rows)
        }
        let piece = Array(written[taken..<min(written.count, taken + count)])
        taken += piece.count
        if taken == written.count {
            written.removeAll(keepingCapacity: true)
            taken = 0
        }
        return piece
    }

    private func write(_ rows: [NamedTrack]) {
        var text = RoomText()
        for row in rows {
            if !isFirst { text.raw(",") }
            isFirst = false
            RoomTrack(id: row.id.description, filename: row.file, row.row.tags, isAvailable: !row.row.isAway).write(into: &text)
        }
        if let last = rows.last {
            position = last.position
        } else {
            text.raw("]")
            hasEnded = true
        }
        written.removeFirst(taken)
        taken = 0
        written += text.bytes
    }
}
