/// The sender of a request: the user of its cookie's session, with the user's role on this channel.
import BatonCore
import BatonProtocol
import BatonSeams

@Loop
struct RoomVisitor {
    let user: User
    let session: RoomSession
    let identity: Identity
    /// Key of the rate limit. Requests of one user share one limit, and reads have another.
    let meter: String
    var sender: CommandContext.Sender { .alone(meter: meter) }

    /// Guests without a place share a rate limit with all others of their address.
    init(passing guest: User, _ session: RoomSession, _ grant: Grant, over channel: Peer.Channel) {
        self.init(
            UserSession(id: "", user: guest), in: session, grant: grant, over: channel,
            meter: "room guests \(AddressGroup.of(grant.address))")
    }

    init(_ signedIn: UserSession, in session: RoomSession, grant: Grant, over channel: Peer.Channel, meter: String? = nil) {
        let user = signedIn.user
        self.user = user
        self.session = session
        let role = Self.role(of: user, grant, over: channel)
        let name = user.name.lowercased()
        identity = Identity(
            // Existing ids of listed people contain this word, so it stays.
            dialect: "user", client: name, role: role, trust: min(.musicFolders, Grant.trust(of: role)),
            // A guest chooses any name, so guests are counted by their address.
            origin: user.isGuest ? grant.origin.isEmpty ? grant.address : grant.origin : "user/\(name)", address: grant.address
        ).acting(as: signedIn)
        self.meter = meter ?? "room \(name)"
    }

    /// An unencrypted connection from another machine has at most the role that the owner grants there.
    static func role(of user: User, _ grant: Grant, over channel: Peer.Channel) -> Role {
        channel == .network ? min(user.role, grant.role) : user.role
    }
}

extension HTTPRequest {
    static let roomCookie = "blastoise_session"

    /// The last cookie of that name, since browsers send the most specific path first.
    var roomToken: String? {
        var found: String?
        for pair in (headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == Self.roomCookie[...] else { continue }
            let value = String(parts[1]).trimmedCookie
            if 1...256 ~= value.utf8.count { found = value }
        }
        return found
    }

    /// The header that stores a token in the client, or removes it.
    func roomCookie(_ token: String?) -> (name: String, value: String) {
        let secure = peer.channel == .tls ? "; Secure" : ""
        let age = token == nil ? 0 : 31_536_000
        return ("set-cookie", "\(Self.roomCookie)=\(token ?? ""); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(age)\(secure)")
    }
}

extension String {
    fileprivate var trimmedCookie: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
