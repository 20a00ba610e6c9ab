/// Requests to the server of one account, with its key.
///
/// The key is sent in a header, to this server only. Messages name the account and never contain the key.
import BatonCore
import BatonJSON
import BatonSeams

struct ChadServer: Sendable {
    /// The address without a trailing slash.
    let address: String
    /// The base path of the server; may be empty.
    let basePath: String
    let title: String
    let http: any HTTPCalling
    private let origin: String
    private let key: String
    private let policy: AddressPolicy

    init(_ account: SourceAccount, secrets: SourceSecrets, http: any HTTPCalling) throws(SourceFault) {
        guard let url = WebAddress(account.url), let scheme = WebAddress.scheme(of: url.text), !url.text.contains("?"),
            !url.text.contains("#"), !url.text.contains("@")
        else {
            throw SourceFault(
                .badRequest,
                "The address of “\(account.title)” must be a web address such as https://music.example/chad, without a user or a query.")
        }
        guard let key = secrets.apiKey, !key.isEmpty, HeaderText.isValue(key) else {
            throw SourceFault(.badRequest, "“\(account.title)” needs the API key of its Chad Music server.")
        }
        let rest = url.text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard let place = HostAndPort(String(authority), isSecure: scheme == "https://") else {
            throw SourceFault(.badRequest, "The address of “\(account.title)” has a port that is no number.")
        }
        var path = String(rest.dropFirst(authority.count))
        while path.hasSuffix("/") { path.removeLast() }
        title = account.title
        origin = scheme + authority.lowercased()
        basePath = path
        address = origin + path
        self.http = http
        self.key = key
        policy = .server(place.host, port: place.port)
    }

    // MARK: Requests

    func ask(
        _ path: String, _ query: [(String, String)] = []
    ) async throws(SourceFault) -> JSON {
        var url = address + path
        for (index, (name, value)) in query.enumerated() { url += "\(index == 0 ? "?" : "&")\(name)=\(PercentText.encoded(value))" }
        var limits = HTTPCallLimits()
        limits.head = .seconds(15)
        limits.total = .seconds(30)
        let answer = try await self.answer(to: HTTPCall(.get, url, headers: headers, limits: limits, policy: policy))
        guard answer.status == 200 else { throw fault(answer) }
        guard let value = answer.json else { throw SourceFault(.failed, "“\(title)” answers with something that is not JSON.") }
        return value
    }

    /// The status and complete body of an answer, whatever its status.
    func answer(to call: HTTPCall) async throws(SourceFault) -> ChadReply {
        do throws(HTTPCallFault) {
            let answer = try await http.call(call)
            return ChadReply(answer, body: try await answer.whole())
        } catch {
            throw error.asSourceFault
        }
    }

    func order(_ method: HTTPCall.Method, _ path: String, limits: HTTPCallLimits) -> HTTPCall {
        HTTPCall(method, address + path, headers: headers, limits: limits, policy: policy)
    }

    /// Uploads a file while it is read.
    func upload(_ content: any ByteSource, headers more: [HTTPCall.Header]) async throws(SourceFault) -> ChadReply {
        var limits = HTTPCallLimits()
        // A slow upload may take any time while bytes move, and the server may check the file after the last byte.
        limits.head = .seconds(86_400)
        limits.total = nil
        limits.silence = .seconds(180)
        limits.redirects = 1
        var call = HTTPCall(.put, address + "/api/upload", headers: headers + more, limits: limits, policy: policy)
        call.content = content
        return try await answer(to: call)
    }

    // MARK: Files

    /// A request for a file at any location; the key goes only to the account's server.
    func call(_ place: ChadLocation, limits: HTTPCallLimits) -> HTTPCall {
        switch place {
        case .own(let path): HTTPCall(.get, "\(address)/\(path.text)", headers: headers, limits: limits, policy: policy)
        case .url(let url, let isOwn): HTTPCall(.get, url, headers: isOwn ? headers : [], limits: limits, policy: policy)
        }
    }

    /// The location in the server's text; `nil` if it is invalid.
    func place(_ written: String, isPath: Bool) -> ChadLocation? {
        if let url = WebAddress(written) {
            let isOwn = Self.isBelow(url.text, origin)
            if Self.isBelow(url.text, address),
                let path = ChadPath(written: String(url.text.dropFirst(address.count)), isURL: true, below: "")
            {
                return .own(path)
            }
            return .url(url.text, isOwn: isOwn)
        }
        // Other schemes than http are refused, and so are URLs of other servers without a scheme.
        guard !written.contains("://"), !written.hasPrefix("//") else { return nil }
        if let path = ChadPath(written: written, isURL: !isPath, below: basePath) { return .own(path) }
        guard !isPath, let question = written.firstIndex(of: "?"),
            let path = ChadPath(written: String(written[..<question]), isURL: true, below: basePath)
        else { return nil }
        let query = written[question...].prefix { $0 != "#" }
        guard query.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
        return .url("\(address)/\(path.text)\(query)", isOwn: true)
    }

    private static func isBelow(_ url: String, _ start: String) -> Bool {
        let start = start.lowercased()
        return url.prefix(start.count).lowercased() == start && [nil, "/", "?", "#"].contains(url.dropFirst(start.count).first)
    }

    private var headers: [HTTPCall.Header] {
        [HTTPCall.Header("Authorization", "Bearer \(key)"), HTTPCall.Header("Accept", "application/json, */*")]
    }

    // MARK: Faults

    func fault(_ reply: ChadReply) -> SourceFault {
        let why = said(reply.message)
        switch reply.status {
        case 401, 403: return SourceFault(.forbidden, "“\(title)” does not accept the API key\(why)")
        case 404: return SourceFault(.notFound, "“\(title)” has no such thing\(why)")
        case 410: return SourceFault(.gone, "“\(title)” does not have it any more\(why)")
        case 408, 429, 500...:
            var fault = SourceFault(.unavailable, "“\(title)” cannot answer just now (status \(reply.status))\(why)")
            fault.retryAfterMs = reply.retryAfterMs
            return fault
        default: return SourceFault(.failed, "“\(title)” answers with status \(reply.status)\(why)")
        }
    }

    /// The server's message as the end of a sentence, without text that could be the key.
    func said(_ message: String?) -> String {
        let plain = message?.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ") ?? ""
        guard !plain.isEmpty, !plain.contains(key) else { return "." }
        let text = DisplayLine.cut(plain, 160)
        return ": \(text)\(text.hasSuffix(".") ? "" : ".")"
    }
}
