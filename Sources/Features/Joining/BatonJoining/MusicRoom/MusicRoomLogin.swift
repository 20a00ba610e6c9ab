/// The hub's session at the server, which it obtains with the user's password and stores in place of it.
///
/// One call at a time signs in. A refusal is remembered for a while, because the server may count wrong passwords. If
/// the server ends a stored session, a person has to sign in again.
import BatonCore
import BatonJSON
import BatonSeams

actor MusicRoomLogin {
    /// Sends a request without a session.
    typealias Ask = @Sendable (_ path: String, _ body: String) async throws(SourceFault) -> MusicRoomReply

    static let cookie = "blastoise_session"

    /// The fault for a session that the server has ended.
    nonisolated let ended: SourceFault
    private nonisolated let title: String
    private let user: String?
    private var password: String?
    private let clock: Clock
    private let renew: SourceParts.Renewal?
    private var session: String?
    private var isEntering = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var refused: (fault: SourceFault, atMs: Milliseconds)?
    private static let refusedMs: Milliseconds = 300_000

    init(_ account: SourceAccount, secrets: SourceSecrets, parts: SourceParts) {
        title = account.title
        ended = SourceFault(
            .forbidden,
            "“\(account.title)” has ended the session of this account. Sign in again: baton source set \(account.name) --user NAME")
        user = secrets.user
        password = secrets.password
        clock = parts.clock
        renew = parts.renew
        session = secrets.apiKey.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The session to send. `after` is a session that the server has just refused.
    func session(after old: String? = nil, ask: Ask) async throws(SourceFault) -> String {
        while isEntering { await withCheckedContinuation { waiting.append($0) } }
        if let session, session != old { return session }
        if let refused, clock.nowMs - refused.atMs < Self.refusedMs { throw refused.fault }
        isEntering = true
        defer {
            isEntering = false
            for one in waiting { one.resume() }
            waiting = []
        }
        session = nil
        do throws(SourceFault) {
            let entered = try await enter(ask)
            session = entered
            refused = nil
            return entered
        } catch {
            if error.code == .forbidden { refused = (error, clock.nowMs) }
            throw error
        }
    }

    private func enter(_ ask: Ask) async throws(SourceFault) -> String {
        guard let user, let password else { throw ended }
        let body = JSONText.object([("username", JSONText.string(user)), ("password", JSONText.string(password))])
        let reply = try await ask("/api/auth/login", body)
        guard reply.isWell else { throw refusal(of: reply) }
        guard let session = reply.session else {
            throw SourceFault(.failed, "“\(title)” lets this user in, but gives no session.")
        }
        guard let renew else { return session }
        try await renew(SourceSecrets(user: user, apiKey: session))
        self.password = nil
        return session
    }

    private func refusal(of reply: MusicRoomReply) -> SourceFault {
        switch reply.status {
        case 400, 401, 403, 404: return SourceFault(.forbidden, "“\(title)” does not accept the user name or the password.")
        case 429:
            var fault = SourceFault(.unavailable, "“\(title)” wants this user to wait before trying again.")
            fault.isUntaken = true
            fault.retryAfterMs = reply.retryAfterMs ?? 60_000
            return fault
        case 500...: return SourceFault(.unavailable, "“\(title)” cannot answer just now (status \(reply.status)).")
        default: return SourceFault(.failed, "“\(title)” answers a login with status \(reply.status), as no MusicRoom server does.")
        }
    }

    // MARK: Cookies

    /// The session in a `Set-Cookie` header; `nil` for other cookies and for a deleted one.
    static func session(in header: String) -> String? {
        guard let part = header.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first else { return nil }
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, pair[0].drop(while: { $0 == " " }) == cookie else { return nil }
        let value = String(pair[1])
        return isSession(value) ? value : nil
    }

    /// Whether the text is a valid cookie value (RFC 6265, 4.1.1).
    static func isSession(_ text: String) -> Bool {
        1...4096 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\",;\\".utf8.contains($0) }
    }
}
