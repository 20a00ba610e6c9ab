import BatonSeams

/// Uploads by an admin to a server at which the hub has an account. Bytes are passed on as they arrive, so the hub holds only a few pieces
/// of a file.
extension RequestRouter {
    /// Upper bound for the size of a recording.
    private static let mostBytes: Int64 = 4 << 30
    /// The purpose of tickets for uploads, beside those for the page's WebSocket.
    private static let client = "upload"

    func registerUploads(in routes: inout Routes) {
        routes.add([.put], .named("/upload/{source}"), for: .proved, streamBytes: Self.mostBytes) { [self] request, grant in
            await upload(request, grant)
        }
    }

    private func upload(_ request: HTTPRequest, _ grant: Grant) async -> HTTPResponse {
        guard grant.role == .admin || hasTicket(request) else {
            return .sentence(403, "Only an admin may give files to a server.")
        }
        guard let incoming = request.incoming, let source = request.parts["source"] else {
            return .sentence(400, "The file is the body of the request.")
        }
        guard let name = request.query.last(where: { $0.name == "file" })?.value, Self.isPlain(name) else {
            return .sentence(400, "file must be the file's name, without a folder: PUT /upload/SOURCE?file=NAME.")
        }
        do throws(SourceFault) {
            return .sentence(200, try await companion.ports.uploads.upload(NamedBytes(name, IncomingBytes(incoming)), to: source))
        } catch {
            // The error of the source is of no use if the file did not arrive whole.
            return Self.response(to: incoming.fault ?? error)
        }
    }

    /// A page on the hub's machine is `admin` on its WebSocket only, so it proves that role here with a ticket.
    private func hasTicket(_ request: HTTPRequest) -> Bool {
        guard case .loopback = request.peer.channel else { return false }
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "ticket" else { return false }
        return companion.ports.devices?.admits(Self.client, with: String(words[1])) == true
    }

    private static func isPlain(_ name: String) -> Bool {
        1...255 ~= name.utf8.count && name != "." && name != ".."
            && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    }

    private static func response(to fault: SourceFault) -> HTTPResponse {
        switch fault.code {
        case .badRequest: .sentence(400, fault.sentence)
        case .forbidden: .sentence(403, fault.sentence)
        case .notFound: .sentence(404, fault.sentence)
        case .conflict, .invalidState: .sentence(409, fault.sentence)
        case .tooLarge: .sentence(413, fault.sentence)
        case .unsupported: .sentence(415, fault.sentence)
        case .quota: .sentence(507, fault.sentence)
        case .unavailable:
            .sentence(503, fault.sentence, headers: [("retry-after", String(max(1, (fault.retryAfterMs ?? 1000).seconds)))])
        default: .sentence(502, fault.sentence)
        }
    }
}
