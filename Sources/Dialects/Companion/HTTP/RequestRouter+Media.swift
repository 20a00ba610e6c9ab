import BatonCore
import BatonProtocol
import BatonSeams

/// Music files and pictures, over HTTP. Files are opened and read outside of the loop, piece by piece as the
/// peer takes them. A file's name never shows, and a pass is good for one item only.
extension RequestRouter {
    func media(_ request: HTTPRequest, _ grant: Grant) async -> HTTPResponse {
        let token = String(request.path.dropFirst("/media/".count))
        do throws(SourceFault) {
            guard let opening = try await companion.ports.media.opening(withPass: token, from: grant.device?.id) else {
                return .sentence(404, "This address was good for ten minutes, or never. Ask the hub for another.")
            }
            let pool = companion.ports.media.blockingPool
            func response(_ source: any ByteSource, _ name: String) -> HTTPResponse {
                var response = Self.response(to: request, source, type: MediaType.named(name), pool)
                response.stream?.mayGoOn = opening.isGood
                return response
            }
            switch opening.playable.location {
            case .file(let file): return response(FileBytes(file.content, blockingPool: pool), file.path)
            case .bytes(let bytes): return response(bytes.content, bytes.name)
            case .parts: return .sentence(404, "This book has several files, so the hub cannot hand it out as one.")
            case .url: return .sentence(404, "This item is no file of the hub's, so the hub cannot hand it out.")
            }
        } catch {
            return Self.refusal(error)
        }
    }

    static func response(
        to request: HTTPRequest, _ source: any ByteSource, type: String, _ blockingPool: any TaskExecutor
    ) -> HTTPResponse {
        let version = source.version
        let changed = version?.changed.map { HTTPDate.text(ofSecond: $0) }
        let hasRanges = source.hasRanges && source.length != nil
        let headers =
            [("content-type", type), ("accept-ranges", hasRanges ? "bytes" : "none")]
            + [version.map { ("etag", $0.tag) }, changed.map { ("last-modified", $0) }].compactMap { $0 }
            + [("cache-control", "private, no-transform")]
        if let known = request.headers["if-none-match"], let version, known == version.tag || known == "*" {
            return HTTPResponse(status: 304, headers: headers)
        }
        func stream(_ start: Int64, _ length: Int64?) -> HTTPStream {
            var stream = HTTPStream(start: start, length: length, blockingPool: blockingPool) { try? await source.read(at: $0, count: $1) }
            stream.connection = { await source.connection(at: $0) }
            return stream
        }
        guard hasRanges, let size = source.length else {
            return HTTPResponse(status: 200, headers: headers, stream: stream(0, source.length))
        }
        // A part of another state of the file would be worse than the whole. A date alone is exact to a second only, which is
        // what the header's own rules ask for.
        let isSame = request.headers["if-range"].map { $0 == version?.tag || $0 == changed } ?? true
        switch request.method == .get && isSame ? ByteRange.asked(by: request.headers["range"], of: size) : .whole {
        case .whole: return HTTPResponse(status: 200, headers: headers, stream: stream(0, size))
        case .part(let part):
            let place = ("content-range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
            return HTTPResponse(status: 206, headers: headers + [place], stream: stream(part.lowerBound, Int64(part.count)))
        case .nothing:
            return .sentence(
                416, "The file has \(size) bytes.", headers: [("content-range", "bytes */\(size)"), ("accept-ranges", "bytes")])
        }
    }

    // MARK: Pictures

    func art(_ request: HTTPRequest) async -> HTTPResponse {
        let id = String(request.path.dropFirst("/art/".count))
        let asked: AskedPicture
        do { asked = try AskedPicture(id, request.query) } catch { return .sentence(400, error.sentence) }
        let headers = [("etag", asked.tag), ("cache-control", "public, max-age=31536000, immutable")]
        // A picture of one name never changes, so a kept copy stays right.
        if request.headers["if-none-match"] == asked.tag { return HTTPResponse(status: 304, headers: headers) }
        do throws(SourceFault) {
            let picture = try await companion.ports.media.picture(id, asked.width, asked.height, asked.format, mostBytes: nil)
            return HTTPResponse(status: 200, headers: headers + [("content-type", picture.format.type)], body: picture.bytes)
        } catch {
            return Self.refusal(error)
        }
    }

    private static func refusal(_ fault: SourceFault) -> HTTPResponse {
        switch fault.code {
        case .unavailable: .sentence(503, fault.sentence, headers: [("retry-after", "1")])
        case .forbidden: .sentence(403, fault.sentence)
        case .notFound, .unreadable, .unsupported: .sentence(404, fault.sentence)
        default: .sentence(500, fault.sentence)
        }
    }
}

/// What a request for a picture asks for.
struct AskedPicture {
    let width: Int?
    let height: Int?
    /// JPEG where none is named, or its maker's own when no size is either.
    let format: Picture.Format?
    /// What it looks like follows from its name and these.
    let tag: String

    private static let formats: [String: Picture.Format] = ["jpeg": .jpeg, "png": .png]

    init(_ id: String, _ query: [(name: String, value: String)]) throws(SourceFault) {
        func side(_ name: String) throws(SourceFault) -> Int? {
            guard let text = query.last(where: { $0.name == name })?.value else { return nil }
            guard let side = Int(text), ArtRequest.sides.contains(side) else {
                throw SourceFault(.badRequest, "\(name) must be a number from 1 to 2048.")
            }
            return side
        }
        width = try side("w")
        height = try side("h")
        let named = query.last { $0.name == "fmt" }?.value
        format = named.flatMap { Self.formats[$0] }
        if named != nil, format == nil { throw SourceFault(.badRequest, "fmt must be jpeg or png.") }
        let size = "\(width.map(String.init) ?? "")x\(height.map(String.init) ?? "")"
        tag = "\"\(id)-\(size)-\(format?.rawValue ?? "")\""
    }
}

/// What a browser is told a file is, by its name's end. What it really is, its own decoder finds out.
enum MediaType {
    private static let types = [
        "mp3": "audio/mpeg", "flac": "audio/flac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "m4a": "audio/mp4",
        "m4b": "audio/mp4", "mp4": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav", "aif": "audio/aiff", "aiff": "audio/aiff",
        "wma": "audio/x-ms-wma", "wv": "audio/x-wavpack", "ape": "audio/x-ape", "mka": "audio/x-matroska", "webm": "audio/webm",
        "mid": "audio/midi", "json": "application/json",
    ]

    static func named(_ path: String) -> String {
        let end = path.split(separator: "/").last?.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return types[end] ?? "application/octet-stream"
    }
}
