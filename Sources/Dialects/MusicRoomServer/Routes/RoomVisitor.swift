/// Who sends a request: the user of the session that its cookie names, with the role that this user has over this channel.
import BatonCore
import BatonProtocol
import BatonSeams

@Loop
struct RoomVisitor {
    let user: User
    let session: RoomSession
    let identity: Identity
    /// Requests of one user share a rate, and looks another one.
    let meter: String
    var sender: CommandContext.Sender { .alone(meter: meter) }

    /// Guests without a place yet share a rate with all others of their address.
    init(passing guest: User, _ session: RoomSession, _ grant: Grant, over channel: Peer.Channel) {
        self.init(
            UserSession(id: "", user: guest), session, grant, over: channel, meter: "room guests \(AddressGroup.of(grant.address))")
    }

    init(_ signedIn: UserSession, _ session: RoomSession, _ grant: Grant, over channel: Peer.Channel, meter: String? = nil) {
        let user = signedIn.user
        self.user = user
        self.session = session
        let role = Self.role(of: user, grant, over: channel)
        let name = user.name.lowercased()
        identity = Identity(
            // The word of this dialect from its first version on: the ids by which people are listed are made of it.
            dialect: "user", client: name, role: role, trust: min(.musicFolders, Grant.trust(of: role)),
            // A guest's name is chosen freely, so guests are counted by where they come from.
            origin: user.isGuest ? grant.origin.isEmpty ? grant.address : grant.origin : "user/\(name)", address: grant.address
        ).acting(as: signedIn)
        self.meter = meter ?? "room \(name)"
    }

    /// What comes unencrypted from another machine may do no more than the owner lets anyone there do.
    static func role(of user: User, _ grant: Grant, over channel: Peer.Channel) -> Role {
        channel == .network ? min(user.role, grant.role) : user.role
    }
}

extension HTTPRequest {
    static let roomCookie = "blastoise_session"

    /// The last one of that name, as browsers send the nearest path first.
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

    /// The header that keeps a token in the client, or takes it away.
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
