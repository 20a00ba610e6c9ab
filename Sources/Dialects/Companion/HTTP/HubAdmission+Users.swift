import BatonCore
import BatonSeams

/// The user of a request: the one that its device is linked to, and the one that signed in with its browser.
extension HubAdmission {
    /// The prefix makes browsers send the cookie only to this host and only encrypted.
    private static let secureCookie = "__Host-baton-user"
    private static let plainCookie = "baton-user"
    private static let cookieSeconds: Int64 = 400 * 86_400

    func owned(_ grant: Grant, _ request: HTTPRequest) -> Grant {
        guard let users = companion.ports.users else { return grant }
        var grant = grant
        if let device = grant.device, let owner = users.user(of: device.id) { grant = grant.signedIn(UserSession(id: "", user: owner)) }
        if let token = Self.token(of: request), let session = users.session(withToken: token) { grant = grant.signedIn(session) }
        return grant
    }

    static func token(of request: HTTPRequest) -> String? { cookie(named: userCookie(for: request), of: request) }

    private static func userCookie(for request: HTTPRequest) -> String { request.peer.channel == .tls ? secureCookie : plainCookie }

    /// Keeps a browser signed in; without a token it is signed out.
    static func header(keeping token: String?, for request: HTTPRequest, until expiresMs: Milliseconds? = nil, nowMs: Milliseconds = 0) -> (
        String, String
    ) {
        let seconds = token == nil ? 0 : expiresMs.map { max(60, ($0 - nowMs).seconds) } ?? cookieSeconds
        let flags = (request.peer.channel == .tls ? "; Secure" : "") + "; HttpOnly; SameSite=Strict"
        return ("set-cookie", "\(userCookie(for: request))=\(token ?? ""); Path=/; Max-Age=\(seconds)\(flags)")
    }
}
