/// A file on the server, read from anywhere: by ranges where the server has them, else by a transfer from the beginning whose first
/// part is skipped.
///
/// A transfer that was begun is read on for as long as reads follow each other, so a track that is heard from its beginning to
/// its end costs one request. Two are kept: decoders look at the end of a file before they read its beginning. Without ranges
/// that look must not cost the transfer that stands at the beginning.
import BatonSeams

actor ServerFile: ByteSource {
    nonisolated let length: Int64?
    nonisolated let version: ContentVersion?
    nonisolated var hasRanges: Bool { true }

    /// The server sends parts of the file.
    private let isPartial: Bool
    private let call: HTTPCall
    private let server: ChadServer
    private var open: [Transfer]
    private static let mostOpen = 2
    /// Where ranges are had, so many bytes are read over rather than asked for anew.
    private static let smallGap: Int64 = 64 * 1024
    /// What decoders look for at the end of a file.
    private static let tail: Int64 = 256 * 1024

    /// A transfer and how far it was read.
    private struct Transfer: Sendable {
        var position: Int64
        let body: any HTTPBody
        /// The end of a piece that was longer than what was asked for.
        var rest: ArraySlice<UInt8> = []
    }

    static func open(_ place: ChadPlace, at server: ChadServer, limits: HTTPCallLimits) async throws(SourceFault) -> ServerFile {
        var call = server.call(place, limits: limits)
        call.range = HTTPCallRange(start: 0)
        let answer = try await Self.answer(to: call, at: server)
        guard answer.status != 416 else { throw SourceFault(.unreadable, "The file at “\(server.title)” is empty.") }
        return ServerFile(call, server, answer)
    }

    private init(_ call: HTTPCall, _ server: ChadServer, _ answer: HTTPAnswer) {
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
                // A server may close what was left open for long.
                guard error.code == .unavailable else { throw error }
            }
        }
        return try await read(try await begin(at: position), at: position, count)
    }

    /// The open transfer that gets there soonest.
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
                // As most reads are: the piece is passed on without a copy.
                transfer.position += Int64(piece.count)
                keep(transfer)
                return piece
            }
            transfer.rest = piece[...]
        }
        transfer.rest = transfer.rest.dropFirst(Int(position - transfer.position))
        let bytes = Array(transfer.rest.prefix(count))
        transfer.rest = transfer.rest.dropFirst(count)
        transfer.position = position + Int64(bytes.count)
        keep(transfer)
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
        keep(transfer)
        return nil
    }

    /// An end before the length that was announced is a broken file and not its end.
    private func ended(at position: Int64) throws(SourceFault) -> [UInt8] {
        guard let length, position < length else { return [] }
        throw SourceFault(.unavailable, "“\(server.title)” ended the file after \(position) of \(length) bytes.")
    }

    private func keep(_ transfer: Transfer) {
        open.append(transfer)
        if open.count > Self.mostOpen { open.removeFirst().body.cancel() }
    }

    private func begin(at position: Int64) async throws(SourceFault) -> Transfer {
        var call = call
        call.range = HTTPCallRange(start: isPartial ? position : 0)
        // Of another state of the file a part would be worse than nothing.
        if let version, !version.tag.hasPrefix("W/") { call.headers.append(HTTPCall.Header("If-Range", version.tag)) }
        let answer = try await Self.answer(to: call, at: server)
        let changed = SourceFault(.gone, "The file at “\(server.title)” changed while it was read.")
        if answer.status == 206 {
            guard answer.firstByte == call.range?.start, answer.wholeLength == length else { throw changed }
            return Transfer(position: call.range?.start ?? 0, body: answer.body)
        }
        // A server that was asked for a part sends the whole of another state of the file.
        let isSame = version.map { answer.header("etag") == $0.tag } ?? true
        guard answer.status == 200, isSame, length == nil || answer.wholeLength == length else {
            throw changed
        }
        return Transfer(position: 0, body: answer.body)
    }

    /// Throws when the server sends an error, or sends a page or a message instead of a file.
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

    /// Enough of an answer for a message; the transfer ends with it.
    private static func beginning(of answer: HTTPAnswer) async -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < 4096, let piece = try? await answer.body.next() { bytes += piece }
        answer.body.cancel()
        return Array(bytes.prefix(4096))
    }
}
