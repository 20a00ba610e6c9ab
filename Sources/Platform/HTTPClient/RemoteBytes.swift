import BatonSeams
import Synchronization

/// A file or stream on another server, read by ranges if the server supports them. Otherwise a read at another place opens the file again
/// and skips to it, so every file of known length can be read from anywhere.
///
/// A transfer continues while reads follow each other, so playing a track to its end takes one request. A read at another place starts
/// another transfer; only a few stay open, since each holds a connection.
final class RemoteBytes: HTTPByteSource {
    let length: Int64?
    var hasRanges: Bool { length != nil }
    let version: ContentVersion?
    let headers: [HTTPCall.Header]
    private let tag: String?
    /// The value for `If-Range`.
    private let validator: String?
    /// True if the server supports ranges.
    private let isPartial: Bool
    private let call: HTTPCall
    private let client: HTTPClient
    private let open: Mutex<[OpenBody]>
    private static let mostOpen = 2

    /// A transfer and the position that it was read up to.
    private struct OpenBody: Sendable {
        var position: Int64
        let body: any HTTPBody
        /// The unread rest of a piece that was longer than requested.
        var rest: ArraySlice<UInt8> = []
    }

    static func open(_ call: HTTPCall, with client: HTTPClient) async throws(SourceFault) -> RemoteBytes {
        var call = call
        call.range = HTTPCallRange(start: 0)
        let answer = try await Self.answer(to: call, with: client)
        if answer.status == 416 { return RemoteBytes(call, through: client, length: 0, isPartial: true, answer: answer, open: []) }
        let isPartial = answer.status == 206
        return RemoteBytes(
            call, through: client, length: answer.wholeLength, isPartial: isPartial, answer: answer,
            open: [OpenBody(position: 0, body: answer.body)])
    }

    private init(
        _ call: HTTPCall, through client: HTTPClient, length: Int64?, isPartial: Bool, answer: HTTPAnswer, open: [OpenBody]
    ) {
        self.call = call
        self.client = client
        self.length = length
        self.isPartial = isPartial && length != nil
        headers = answer.headers
        tag = answer.header("etag")
        validator = Self.validator(of: answer)
        version = tag.map { ContentVersion(tag: $0) } ?? validator.map { ContentVersion(tag: "\"\($0)\"") }
        self.open = Mutex(open)
    }

    deinit {
        for open in open.withLock({ $0 }) { open.body.cancel() }
    }

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        guard count > 0, position >= 0, length.map({ position < $0 }) ?? true else { return [] }
        if let reading = take(at: position) {
            do throws(SourceFault) { return try await read(reading, count) } catch {
                // A server may close a connection that was idle for long; with ranges it can be resumed.
                guard hasRanges, error.code == .unavailable else { throw error }
            }
        }
        return try await read(begin(at: position), count)
    }

    func connection(at position: Int64) async -> BodyConnection? {
        guard let reading = take(at: position) else { return nil }
        if reading.rest.isEmpty, let connection = await reading.body.connection() { return connection }
        store(reading)
        return nil
    }

    private func take(at position: Int64) -> OpenBody? {
        open.withLock { open in
            open.firstIndex { $0.position == position }.map { open.remove(at: $0) }
        }
    }

    private func read(_ reading: OpenBody, _ count: Int) async throws(SourceFault) -> [UInt8] {
        var reading = reading
        if reading.rest.isEmpty {
            do throws(HTTPCallFault) {
                guard let piece = try await reading.body.next() else { return try ended(at: reading.position) }
                reading.rest = piece[...]
            } catch {
                throw error.asSourceFault
            }
        }
        let bytes = Array(reading.rest.prefix(count))
        reading.rest = reading.rest.dropFirst(count)
        reading.position += Int64(bytes.count)
        store(reading)
        return bytes
    }

    /// An end before the announced length means that the transfer broke.
    private func ended(at position: Int64) throws(HTTPCallFault) -> [UInt8] {
        guard let length, position < length else { return [] }
        throw HTTPCallFault(.unreachable, "The server ended the file after \(position) of \(length) bytes.")
    }

    private func store(_ reading: OpenBody) {
        let dropped = open.withLock { open in
            open.append(reading)
            return open.count > Self.mostOpen ? open.removeFirst() : nil
        }
        dropped?.body.cancel()
    }

    private func begin(at position: Int64) async throws(SourceFault) -> OpenBody {
        guard hasRanges else {
            throw SourceFault(.unsupported, "The server of this stream cannot begin in the middle of it.")
        }
        guard isPartial else { return try await skip(to: position) }
        var call = call
        call.range = HTTPCallRange(start: position)
        // A part of a changed file would be worse than none.
        if let validator { call.headers.append(HTTPCall.Header("If-Range", validator)) }
        let answer = try await Self.answer(to: call, with: client)
        guard answer.status == 206, answer.firstByte == position, answer.wholeLength == length else {
            throw SourceFault(.gone, "The file on the server changed while it was read.")
        }
        return OpenBody(position: position, body: answer.body)
    }

    /// A strong tag, or without a tag the time of the last change. If the file was changed in the minute of the response, it may change
    /// again within the same second, so it gets no validator.
    private static func validator(of answer: HTTPAnswer) -> String? {
        if let tag = answer.header("etag") { return tag.hasPrefix("W/") ? nil : tag }
        guard let changed = answer.header("last-modified"), let date = answer.header("date"),
            changed.prefix(upToMinute) != date.prefix(upToMinute)
        else { return nil }
        return changed
    }

    /// Length of the date up to the minute in `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static let upToMinute = 22

    /// Reads from the beginning and drops everything before `position`.
    private func skip(to position: Int64) async throws(SourceFault) -> OpenBody {
        let answer = try await Self.answer(to: call, with: client)
        guard answer.status == 200, answer.wholeLength == length, answer.header("etag") == tag else {
            throw SourceFault(.gone, "The file on the server changed while it was read.")
        }
        var reading = OpenBody(position: 0, body: answer.body)
        while reading.position < position {
            do throws(HTTPCallFault) {
                guard let piece = try await reading.body.next() else {
                    throw HTTPCallFault(.unreachable, "The server ended the file after \(reading.position) bytes.")
                }
                let skipped = min(Int64(piece.count), position - reading.position)
                reading.position += skipped
                reading.rest = piece[Int(skipped)...]
            } catch {
                throw error.asSourceFault
            }
        }
        return reading
    }

    private static func answer(to call: HTTPCall, with client: HTTPClient) async throws(SourceFault) -> HTTPAnswer {
        let answer: HTTPAnswer
        do throws(HTTPCallFault) { answer = try await client.call(call) } catch { throw error.asSourceFault }
        switch answer.status {
        case 200, 206, 416: return answer
        case 404: throw SourceFault(.notFound, "The server has no such file.")
        case 410, 412: throw SourceFault(.gone, "The file on the server is gone, or it changed while it was read.")
        case 401, 403: throw SourceFault(.forbidden, "The server does not allow this file to be read.")
        case 500...: throw SourceFault(.unavailable, "The server cannot give this file just now (status \(answer.status)).")
        default: throw SourceFault(.failed, "The server answers with status \(answer.status) where a file was expected.")
        }
    }
}
