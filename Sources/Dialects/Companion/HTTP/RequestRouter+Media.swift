import BatonCore
import BatonProtocol
import BatonSeams

/// Music files and pictures over HTTP. Files are opened and read off the loop, piece by piece as the peer accepts them. File names are
/// never shown, and a pass is valid for one item only.
extension RequestRouter {
    func media(_ request: HTTPRequest, _ grant: Grant) async -> HTTPResponse {
        let token = String(request.path.dropFirst("/media/".count))
        do throws(SourceFault) {
            guard let opening = try await companion.ports.media.opening(withPass: token, from: grant.device?.id) else {
                return .sentence(404, "This address was good for ten minutes, or never. Ask the hub for another.")
            }
            let pool = companion.ports.media.blockingPool
            func response(_ source: any ByteSource, _ name: String) -> HTTPResponse {
                var response = HTTPResponse.media(source, for: request, type: MediaType.named(name), pool)
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

    // MARK: Pictures

    func art(_ request: HTTPRequest) async -> HTTPResponse {
        let id = String(request.path.dropFirst("/art/".count))
        let asked: AskedPicture
        do { asked = try AskedPicture(id, request.query) } catch { return .sentence(400, error.sentence) }
        let headers = [("etag", asked.tag), ("cache-control", "public, max-age=31536000, immutable")]
        // The picture behind a name never changes, so a cached copy stays valid.
        if request.headers["if-none-match"] == asked.tag { return HTTPResponse(status: 304, headers: headers) }
        do throws(SourceFault) {
            let picture = try await companion.ports.media.picture(
                id, width: asked.width, height: asked.height, format: asked.format, mostBytes: nil)
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

/// The picture that a request asks for.
struct AskedPicture {
    let width: Int?
    let height: Int?
    /// JPEG by default, or the original format if no size is given either.
    let format: Picture.Format?
    /// The tag for caches. Name, size and format determine the picture's bytes.
    let tag: String

    private static let formats: [String: Picture.Format] = ["jpeg": .jpeg, "png": .png]

    init(_ id: String, _ query: [(name: String, value: String)]) throws(SourceFault) {
        func side(_ name: String) throws(SourceFault) -> Int? {
            guard let text = query.last(where: { $0.name == name })?.value else { return nil }
            guard let side = Int(text), ArtFormat.sides.contains(side) else {
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
