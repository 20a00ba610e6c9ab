/// Requests to the server of one account, as its user.
///
/// Keys and tokens are sent in a header, to this server only. Messages name the account and never contain secrets.
import BatonCore
import BatonJSON
import BatonSeams

struct SapphoServer: Sendable {
    let title: String
    let address: ServerAddress
    private let http: any HTTPCalling
    private let login: SapphoLogin

    init(_ account: SourceAccount, secrets: SourceSecrets, parts: SourceParts) throws(SourceFault) {
        guard secrets.apiKey.map(HeaderText.isValue) ?? true else {
            throw SourceFault(.badRequest, "The API key of “\(account.title)” has characters that no key has.")
        }
        title = account.title
        address = try ServerAddress(account.url, without: "/api")
        http = parts.http
        login = SapphoLogin(account, at: address.base, secrets: secrets, parts: parts)
    }

    typealias Query = [(name: String, value: String)]

    // MARK: Requests

    /// Sends a GET request and returns the answer of a successful one.
    func ask(_ path: String, _ query: Query = [], isPublic: Bool = false) async throws(SourceFault) -> JSON {
        let reply = try await isPublic ? self.reply(.get, path, body: nil, token: nil) : self.reply(.get, path + Self.text(query))
        guard reply.isWell else { throw await fault(reply) }
        guard let json = reply.json else { throw SourceFault(.failed, "“\(title)” answers with something that is not JSON.") }
        return json
    }

    /// Sends a request whose answer is a list.
    func list(_ path: String, _ query: Query = []) async throws(SourceFault) -> [JSON] {
        guard let rows = try await ask(path, query).array else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no list.")
        }
        return rows
    }

    /// Sends a change. With `once` it is not repeated, because it would count twice. A status in `allowing` counts as
    /// success.
    @discardableResult
    func tell(
        _ method: HTTPCall.Method, _ path: String, body: String? = nil, once: Bool = false, allowing: Set<Int> = []
    ) async throws(SourceFault) -> SapphoReply {
        let reply = try await self.reply(method, path, body: body, once: once)
        guard reply.isWell || allowing.contains(reply.status) else { throw await fault(reply) }
        return reply
    }

    /// The answer to a request with any status. An expired token is replaced once.
    func reply(
        _ method: HTTPCall.Method, _ path: String, body: String? = nil, once: Bool = false
    ) async throws(SourceFault) -> SapphoReply {
        let token = try await login.token(ask)
        let reply = try await self.reply(method, path, body: body, token: token, once: once)
        guard reply.status == 401 else { return reply }
        return try await self.reply(method, path, body: body, token: try await login.token(after: token, ask), once: once)
    }

    private var ask: SapphoLogin.Ask {
        { method, path, body, token throws(SourceFault) in try await reply(method, path, body: body, token: token) }
    }

    private func reply(
        _ method: HTTPCall.Method, _ path: String, body: String?, token: String?, once: Bool = false
    ) async throws(SourceFault) -> SapphoReply {
        var call = call(method, path, token: token, limits: Self.limits)
        if let body {
            call.headers.append(HTTPCall.Header("Content-Type", "application/json"))
            call.body = Array(body.utf8)
        }
        call.isSentOnce = once
        do throws(HTTPCallFault) {
            let answer = try await http.call(call)
            return SapphoReply(answer, body: try await answer.whole())
        } catch {
            throw error.asSourceFault
        }
    }

    // MARK: Files

    /// Opens a file. Ranges are requested without an end: the server refuses an end after the last byte, and suffix
    /// ranges.
    func open(_ path: String, _ limits: HTTPCallLimits) async throws(SourceFault) -> any ByteSource {
        let token = try await login.token(ask)
        do throws(SourceFault) { return try await http.open(call(.get, path, token: token, limits: limits)) } catch {
            guard error.code == .forbidden else { throw error }
            let fresh = try await login.token(after: token, ask)
            return try await http.open(call(.get, path, token: fresh, limits: limits))
        }
    }

    /// A request for a WebSocket. This server expects the token in the URL, so messages about the connection mention
    /// only its host.
    func socket(_ path: String) async throws(SourceFault) -> WebSocketRequest {
        let token = try await login.token(ask)
        return WebSocketRequest(address.webSocket("\(path)?token=\(PercentText.encoded(token))"), policy: address.policy)
    }

    private func call(_ method: HTTPCall.Method, _ path: String, token: String?, limits: HTTPCallLimits) -> HTTPCall {
        var headers = [HTTPCall.Header("Accept", "application/json, */*")]
        if let token { headers.append(HTTPCall.Header("Authorization", "Bearer \(token)")) }
        return HTTPCall(method, address.base + path, headers: headers, limits: limits, policy: address.policy)
    }

    private static let limits = {
        var limits = HTTPCallLimits()
        limits.head = .seconds(15)
        limits.total = .seconds(30)
        limits.bodyBytes = 32 << 20
        limits.redirects = 2
        return limits
    }()

    private static func text(_ query: Query) -> String {
        query.enumerated().map { "\($0.offset == 0 ? "?" : "&")\($0.element.name)=\(PercentText.encoded($0.element.value))" }.joined()
    }

    // MARK: Faults

    func fault(_ reply: SapphoReply) async -> SourceFault {
        let why = await login.said(reply.message)
        switch reply.status {
        case 401: return SourceFault(.forbidden, "“\(title)” does not accept who the hub is any more.")
        case 403 where reply.json?.flag("must_change_password") == true: return await login.mustChange
        case 403: return SourceFault(.forbidden, "“\(title)” does not allow this user to do that\(why)")
        case 404: return SourceFault(.notFound, "“\(title)” has no such thing any more\(why)")
        case 409: return SourceFault(.conflict, "“\(title)” says that it is so already\(why)")
        case 400: return SourceFault(.badRequest, "“\(title)” refuses this\(why)")
        case 408, 429, 500...:
            var fault = SourceFault(.unavailable, "“\(title)” cannot answer just now (status \(reply.status))\(why)")
            fault.retryAfterMs = reply.retryAfterMs
            fault.isUntaken = reply.status == 429
            return fault
        default: return SourceFault(.failed, "“\(title)” answers with status \(reply.status)\(why)")
        }
    }
}
