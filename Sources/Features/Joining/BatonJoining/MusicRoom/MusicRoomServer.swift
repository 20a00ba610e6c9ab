/// Requests to the server of one account, as its user.
///
/// The session is sent in a cookie, to this server only: redirects are not followed. Messages name the account and
/// never contain the session or the password.
import BatonCore
import BatonJSON
import BatonSeams

struct MusicRoomServer: Sendable {
    let title: String
    let address: ServerAddress
    private let http: any HTTPCalling
    private let login: MusicRoomLogin

    init(_ account: SourceAccount, secrets: SourceSecrets, parts: SourceParts) throws(SourceFault) {
        if let session = secrets.apiKey, !session.isEmpty, !MusicRoomLogin.isSession(session) {
            throw SourceFault(.badRequest, "The session of “\(account.title)” has characters that no cookie has.")
        }
        title = account.title
        address = try ServerAddress(account.url, without: "/api")
        http = parts.http
        login = MusicRoomLogin(account, secrets: secrets, parts: parts)
    }

    // MARK: Requests

    func ask(_ path: String, isPublic: Bool = false) async throws(SourceFault) -> JSON {
        let bytes = try await bytes(path, isPublic: isPublic)
        guard let json = try? JSON.parse(bytes, limits: MusicRoomAnswers.limits) else {
            throw SourceFault(.failed, "“\(title)” answers with something that is not JSON.")
        }
        return json
    }

    func bytes(_ path: String, isPublic: Bool = false) async throws(SourceFault) -> [UInt8] {
        let reply =
            isPublic ? try await self.reply(.get, path, body: nil, session: nil) : try await self.reply(.get, path)
        guard reply.isWell else { throw fault(reply) }
        return reply.body
    }

    /// Sends a change. It is not repeated, because it might count twice.
    func tell(_ method: HTTPCall.Method, _ path: String, body: String) async throws(SourceFault) {
        let reply = try await self.reply(method, path, body: body)
        guard reply.isWell else { throw fault(reply) }
    }

    /// The answer to a request with any status. An ended session is replaced once, if possible.
    private func reply(_ method: HTTPCall.Method, _ path: String, body: String? = nil) async throws(SourceFault) -> MusicRoomReply {
        let session = try await login.session(ask: signIn)
        let reply = try await self.reply(method, path, body: body, session: session)
        guard reply.status == 401 else { return reply }
        return try await self.reply(method, path, body: body, session: try await login.session(after: session, ask: signIn))
    }

    private var signIn: MusicRoomLogin.Ask {
        { path, body throws(SourceFault) in try await reply(.post, path, body: body, session: nil) }
    }

    private func reply(
        _ method: HTTPCall.Method, _ path: String, body: String?, session: String?
    ) async throws(SourceFault) -> MusicRoomReply {
        var call = call(method, path, session: session, limits: Self.limits)
        if let body {
            call.headers.append(HTTPCall.Header("Content-Type", "application/json"))
            call.body = Array(body.utf8)
            call.isSentOnce = true
        }
        do throws(HTTPCallFault) {
            let answer = try await http.call(call)
            return MusicRoomReply(answer, body: try await answer.whole())
        } catch {
            throw error.asSourceFault
        }
    }

    // MARK: Files and rooms

    func open(_ path: String, _ limits: HTTPCallLimits) async throws(SourceFault) -> any ByteSource {
        var limits = limits
        limits.redirects = 0
        let session = try await login.session(ask: signIn)
        do throws(SourceFault) { return try await http.open(call(.get, path, session: session, limits: limits)) } catch {
            guard error.code == .forbidden else { throw error }
            let fresh = try await login.session(after: session, ask: signIn)
            return try await http.open(call(.get, path, session: fresh, limits: limits))
        }
    }

    /// A request for a WebSocket. `after` is a session that the server has just refused.
    func socket(_ path: String, after: String? = nil) async throws(SourceFault) -> (request: WebSocketRequest, session: String) {
        let session = try await login.session(after: after, ask: signIn)
        var limits = WebSocketLimits()
        limits.messageBytes = Int(Self.mostBytes)
        limits.messagesHeld = 16
        let request = WebSocketRequest(
            address.webSocket(path), headers: headers(session).map { (name: $0.name, value: $0.value) }, limits: limits,
            policy: address.policy)
        return (request, session)
    }

    private func call(_ method: HTTPCall.Method, _ path: String, session: String?, limits: HTTPCallLimits) -> HTTPCall {
        HTTPCall(
            method, address.base + path, headers: headers(session) + [HTTPCall.Header("Accept", "application/json, */*")], limits: limits,
            policy: address.policy)
    }

    private func headers(_ session: String?) -> [HTTPCall.Header] {
        var headers = [HTTPCall.Header("User-Agent", "Baton/\(HubIdentity.version)")]
        if let session { headers.append(HTTPCall.Header("Cookie", "\(MusicRoomLogin.cookie)=\(session)")) }
        return headers
    }

    /// Limit of an answer: a library of 100,000 tracks.
    static let mostBytes: Int64 = 48 << 20

    private static let limits = {
        var limits = HTTPCallLimits()
        limits.head = .seconds(15)
        limits.total = .seconds(45)
        limits.bodyBytes = mostBytes
        limits.redirects = 0
        return limits
    }()

    // MARK: Faults

    func fault(_ reply: MusicRoomReply) -> SourceFault {
        let why = reply.said
        switch reply.status {
        case 401: return login.ended
        case 403: return SourceFault(.forbidden, "“\(title)” does not allow this user to do that\(why)")
        case 404: return SourceFault(.notFound, "“\(title)” has no such thing any more\(why)")
        case 501: return SourceFault(.unsupported, "“\(title)” cannot do that\(why)")
        case 400, 409, 422: return SourceFault(.badRequest, "“\(title)” refuses this\(why)")
        case 408, 429, 500...:
            var fault = SourceFault(.unavailable, "“\(title)” cannot answer just now (status \(reply.status))\(why)")
            fault.retryAfterMs = reply.retryAfterMs
            return fault
        default: return SourceFault(.failed, "“\(title)” answers with status \(reply.status)\(why)")
        }
    }
}

/// A complete answer, limited in size, with its message for people.
struct MusicRoomReply: Sendable {
    var status: Int
    var body: [UInt8]
    /// The pause that the server asks for.
    var retryAfterMs: Milliseconds?
    /// The session in the answer, if any.
    var session: String?

    init(_ answer: HTTPAnswer, body: [UInt8]) {
        status = answer.status
        self.body = body
        retryAfterMs = answer.retryAfterMs
        session = answer.headers.lazy.filter { $0.name == "set-cookie" }.compactMap { MusicRoomLogin.session(in: $0.value) }.first
    }

    var isWell: Bool { 200..<300 ~= status }

    /// The server's message as the end of a sentence.
    var said: String {
        guard body.count <= 64 << 10, let json = try? JSON.parse(body, limits: MusicRoomAnswers.limits),
            let text = MusicRoomAnswers.line(json, "error", "message")
        else { return "." }
        return ": \(text)\(text.hasSuffix(".") ? "" : ".")"
    }
}
