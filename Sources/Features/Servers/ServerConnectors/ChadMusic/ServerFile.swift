/// A file on the server, read at any position: by range requests if the server supports them, else by a transfer from
/// the beginning that skips to the position.
///
/// A transfer is continued while reads are consecutive, so that playing a track from start to end costs one request.
/// Two transfers stay open, because decoders read the end of a file before its beginning; without range support that
/// read must not replace the transfer at the beginning.
import BatonSeams

actor ServerFile: ByteSource {
    nonisolated let length: Int64?
    nonisolated let version: ContentVersion?
    nonisolated var hasRanges: Bool { true }

    /// The server supports range requests.
    private let isPartial: Bool
    private let call: HTTPCall
    private let server: ChadServer
    private var open: [Transfer]
    private static let mostOpen = 2
    /// Distance that is skipped by reading, even if a range request is possible.
    private static let smallGap: Int64 = 64 * 1024
    /// Size of the part at the end that decoders read first.
    private static let tail: Int64 = 256 * 1024

    private struct Transfer: Sendable {
        var position: Int64
        let body: any HTTPBody
        /// The unread rest of a piece that was longer than requested.
        var rest: ArraySlice<UInt8> = []
    }

    static func open(_ place: ChadLocation, at server: ChadServer, limits: HTTPCallLimits) async throws(SourceFault) -> ServerFile {
        var call = server.call(place, limits: limits)
        call.range = HTTPCallRange(start: 0)
        let answer = try await Self.answer(to: call, at: server)
        guard answer.status != 416 else { throw SourceFault(.unreadable, "The file at “\(server.title)” is empty.") }
        return ServerFile(call, at: server, answer: answer)
    }

    private init(_ call: HTTPCall, at server: ChadServer, answer: HTTPAnswer) {
        isPartial = answer.status == 206
        length = answer.wholeLength
        version = answer.header("etag").map { ContentVersion(tag: $0) }
        self.call = call
        self.server = server
        open = [Transfer(position: 0, body: answer.body)]
    }

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        guard count > 0, position >= 0, length.map({ position < $0 }) ?? true else { return [] }
        if let transfer = take(for: position) {
            do throws(SourceFault) { return try await read(transfer, at: position, count) } catch {
                // A server may close a transfer that was idle for long.
                guard error.code == .unavailable else { throw error }
            }
        }
        return try await read(try await begin(at: position), at: position, count)
    }

    /// Takes the open transfer closest before the position.
    private func take(for position: Int64) -> Transfer? {
        let isTail = length.map { position >= $0 - Self.tail } ?? false
        let furthest = isPartial || isTail ? Self.smallGap : .max
        let best = open.indices.filter { open[$0].position <= position && position - open[$0].position <= furthest }
            .max { open[$0].position < open[$1].position }
        return best.map { open.remove(at: $0) }
    }

    private func read(_ transfer: Transfer, at position: Int64, _ count: Int) async throws(SourceFault) -> [UInt8] {
        var transfer = transfer
        while transfer.position + Int64(transfer.rest.count) <= position {
            transfer.position += Int64(transfer.rest.count)
            transfer.rest = []
            let next: [UInt8]?
            do throws(HTTPCallFault) { next = try await transfer.body.next() } catch { throw error.asSourceFault }
            guard let piece = next else { return try ended(at: transfer.position) }
            if transfer.position == position, 1...count ~= piece.count {
                // The usual case: the piece is returned without a copy.
                transfer.position += Int64(piece.count)
                store(transfer)
                return piece
            }
            transfer.rest = piece[...]
        }
        transfer.rest = transfer.rest.dropFirst(Int(position - transfer.position))
        let bytes = Array(transfer.rest.prefix(count))
        transfer.rest = transfer.rest.dropFirst(count)
        transfer.position = position + Int64(bytes.count)
        store(transfer)
        return bytes
    }

    func connection(at position: Int64) async -> BodyConnection? {
        let open = self.open.firstIndex { $0.position == position && $0.rest.isEmpty }
        let transfer: Transfer
        if let open {
            transfer = self.open.remove(at: open)
        } else {
            guard isPartial, let begun = try? await begin(at: position), begun.position == position else { return nil }
            transfer = begun
        }
        if let connection = await transfer.body.connection() { return connection }
        store(transfer)
        return nil
    }

    /// The end of the file. An end before the announced length is an error.
    private func ended(at position: Int64) throws(SourceFault) -> [UInt8] {
        guard let length, position < length else { return [] }
        throw SourceFault(.unavailable, "“\(server.title)” ended the file after \(position) of \(length) bytes.")
    }

    private func store(_ transfer: Transfer) {
        open.append(transfer)
        if open.count > Self.mostOpen { open.removeFirst().body.cancel() }
    }

    private func begin(at position: Int64) async throws(SourceFault) -> Transfer {
        var call = call
        call.range = HTTPCallRange(start: isPartial ? position : 0)
        // A part of a changed file would mix two versions, so the request is conditional.
        if let version, !version.tag.hasPrefix("W/") { call.headers.append(HTTPCall.Header("If-Range", version.tag)) }
        let answer = try await Self.answer(to: call, at: server)
        let changed = SourceFault(.gone, "The file at “\(server.title)” changed while it was read.")
        if answer.status == 206 {
            guard answer.firstByte == call.range?.start, answer.wholeLength == length else { throw changed }
            return Transfer(position: call.range?.start ?? 0, body: answer.body)
        }
        // If the file has changed, a server sends all of it instead of the range.
        let isSame = version.map { answer.header("etag") == $0.tag } ?? true
        guard answer.status == 200, isSame, length == nil || answer.wholeLength == length else {
            throw changed
        }
        return Transfer(position: 0, body: answer.body)
    }

    /// Sends a request for a file. Throws for errors, and for pages or messages instead of a file.
    private static func answer(to call: HTTPCall, at server: ChadServer) async throws(SourceFault) -> HTTPAnswer {
        let answer: HTTPAnswer
        do throws(HTTPCallFault) { answer = try await server.http.call(call) } catch { throw error.asSourceFault }
        let isFile = [200, 206].contains(answer.status)
        let type = answer.header("content-type")?.lowercased() ?? ""
        let isMessage = type.hasPrefix("application/json") || type.hasPrefix("text/")
        if (isFile && !isMessage) || answer.status == 416 { return answer }
        if answer.status == 412 { throw SourceFault(.gone, "The file at “\(server.title)” changed while it was read.") }
        let reply = ChadReply(answer, body: await beginning(of: answer))
        guard isFile else { throw server.fault(reply) }
        throw SourceFault(.failed, "“\(server.title)” answers with a message where a file was expected\(server.said(reply.message))")
    }

    /// Reads the beginning of an answer for a message, and closes the transfer.
    private static func beginning(of answer: HTTPAnswer) async -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < 4096, let piece = try? await answer.body.next() { bytes += piece }
        answer.body.cancel()
        return Array(bytes.prefix(4096))
    }
}
