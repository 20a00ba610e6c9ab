/// The hub's credentials at the server: an API key, or a token that is obtained with the user's password.
///
/// Only one call at a time requests a token, because newer servers revoke all tokens of an account if a refresh token
/// is used twice. A refusal is remembered for a while, since five wrong passwords lock the user out. A user with a
/// second factor is asked for a code once; the hub then creates an API key and stores it in place of the password.
import BatonCore
import BatonJSON
import BatonSeams

actor SapphoLogin {
    /// Sends a request with this token, or without one.
    typealias Ask =
        @Sendable (_ method: HTTPCall.Method, _ path: String, _ body: String?, _ token: String?) async throws(SourceFault) ->
        SapphoReply

    private let title: String
    private let name: String
    private let address: String
    private let secrets: SourceSecrets
    private let clock: Clock
    private let renew: SourceParts.Renewal?
    private var token: String?
    private var refreshToken: String?
    private var entering: Task<Result<String, SourceFault>, Never>?
    private var refused: (fault: SourceFault, atMs: Milliseconds)?
    private static let refusedMs: Milliseconds = 300_000

    init(_ account: SourceAccount, at address: String, secrets: SourceSecrets, parts: SourceParts) {
        title = account.title
        name = account.name
        self.address = address
        self.secrets = secrets
        clock = parts.clock
        renew = parts.renew
        token = secrets.apiKey.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The token to send. `after` is a token that the server has just refused.
    func token(after old: String? = nil, _ ask: @escaping Ask) async throws(SourceFault) -> String {
        if let token, token != old { return token }
        if let entering { return try await entering.value.get() }
        if let refused, clock.nowMs - refused.atMs < Self.refusedMs { throw refused.fault }
        let task = Task { await enter(ask) }
        entering = task
        let entered = await task.value
        entering = nil
        return try entered.get()
    }

    private func enter(_ ask: Ask) async -> Result<String, SourceFault> {
        do throws(SourceFault) {
            let entered = if let again = await refreshed(ask) { again } else { try await signedIn(ask) }
            token = entered
            refused = nil
            return .success(entered)
        } catch {
            token = nil
            if error.code == .forbidden { refused = (error, clock.nowMs) }
            return .failure(error)
        }
    }

    /// A token from the refresh token of newer servers, which can be used only once.
    private func refreshed(_ ask: Ask) async -> String? {
        guard let old = refreshToken else { return nil }
        refreshToken = nil
        let body = JSONText.object([("refreshToken", JSONText.string(old))])
        guard let reply = try? await ask(.post, "/api/auth/refresh", body, nil), reply.isWell, let json = reply.json else { return nil }
        return taken(json)
    }

    private func taken(_ json: JSON) -> String? {
        refreshToken = json["refreshToken"]?.string
        return json["token"]?.string.flatMap { HeaderText.isValue($0) && !$0.isEmpty ? $0 : nil }
    }

    // MARK: By password

    private func signedIn(_ ask: Ask) async throws(SourceFault) -> String {
        guard secrets.apiKey?.isEmpty ?? true, let user = secrets.user, let password = secrets.password else {
            throw SourceFault(
                .forbidden, "“\(title)” does not accept the API key. It may have ended: make another one there, and give it \(advice).")
        }
        let body = JSONText.object([("username", JSONText.string(user)), ("password", JSONText.string(password))])
        let reply = try await ask(.post, "/api/auth/login", body, nil)
        guard reply.isWell, let json = reply.json else { throw refusal(of: reply) }
        if json.flag("mfa_required") { return try await signedIn(by: json["mfa_token"]?.string ?? "", ask) }
        return try entered(json)
    }

    private func signedIn(by half: String, _ ask: Ask) async throws(SourceFault) -> String {
        guard let code = secrets.code else { throw asking("“\(title)” asks for the code of your authenticator. Give it \(advice).") }
        let body = JSONText.object([("mfa_token", JSONText.string(half)), ("token", JSONText.string(code))])
        let reply = try await ask(.post, "/api/auth/verify-mfa", body, nil)
        guard reply.isWell, let json = reply.json else {
            guard reply.status == 401 else { throw refusal(of: reply) }
            throw asking("“\(title)” does not accept this code, which is good for half a minute. Give the next one \(advice).")
        }
        return try await lasting(try entered(json), ask)
    }

    /// Creates an API key to replace the token, which expires after a week, when no person may be there to enter a
    /// code. An account under test gets none.
    private func lasting(_ token: String, _ ask: Ask) async throws(SourceFault) -> String {
        guard let renew else { return token }
        let body = JSONText.object([("name", JSONText.string("Baton")), ("expires_in_days", "null")])
        let reply = try await ask(.post, "/api/api-keys", body, token)
        guard reply.isWell, let key = reply.json?["key"]?.string, !key.isEmpty, HeaderText.isValue(key) else { return token }
        try await renew(SourceSecrets(user: secrets.user, apiKey: key))
        return key
    }

    private func entered(_ json: JSON) throws(SourceFault) -> String {
        if json.flag("must_change_password") { throw mustChange }
        guard let token = taken(json) else { throw SourceFault(.failed, "“\(title)” lets this user in, but gives no token.") }
        return token
    }

    // MARK: Sentences

    /// The command needs a name, which an account under test lacks. Accounts in the hub's settings are changed there.
    private var advice: String { renew == nil ? "with the account" : "by baton source set \(name)" }

    var mustChange: SourceFault {
        SourceFault(
            .forbidden,
            "“\(title)” wants this user to choose another password. Sign in at \(address), choose one, and give it here \(advice).")
    }

    /// The server's message as the end of a sentence, unless it contains a secret.
    func said(_ message: String?) -> String {
        let hidden = [token, refreshToken, secrets.password, secrets.apiKey, secrets.code].compactMap { $0 }.filter { !$0.isEmpty }
        guard let message, !hidden.contains(where: message.contains), !message.contains("Bearer") else { return "." }
        return ": \(message)\(message.hasSuffix(".") ? "" : ".")"
    }

    private func asking(_ sentence: String) -> SourceFault {
        var fault = SourceFault(.forbidden, sentence)
        fault.asks = .code
        return fault
    }

    private func refusal(of reply: SapphoReply) -> SourceFault {
        switch reply.status {
        case 401: return SourceFault(.forbidden, "“\(title)” does not accept the user name or the password.")
        case 403: return SourceFault(.forbidden, "“\(title)” does not let this user in.")
        case 423, 429:
            var fault = SourceFault(
                .unavailable, "“\(title)” has locked this user for a quarter of an hour, after too many wrong passwords.")
            fault.isUntaken = true
            fault.retryAfterMs = reply.retryAfterMs ?? 900_000
            return fault
        case 500...: return SourceFault(.unavailable, "“\(title)” cannot answer just now (status \(reply.status)).")
        default: return SourceFault(.failed, "“\(title)” answers a login with status \(reply.status), as no Sappho server does.")
        }
    }
}
