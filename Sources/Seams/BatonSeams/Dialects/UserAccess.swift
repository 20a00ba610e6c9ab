/// People with an account at this hub, as a dialect signs them in and recognises them again.
package import BatonCore
package import BatonProtocol

/// One account, or a guest who was let in without one.
package struct User: Equatable, Sendable {
    /// Unique without regard to case, and never changed: marks, places and playlists are kept under it.
    package var name: String
    /// The most that any of its sessions and devices may do.
    package var role: Role
    package var isGuest: Bool
    /// An admin has let it in, where `signup = approve` asks for that.
    package var isApproved: Bool
    package var createdMs: Int64
    /// When a guest has to go; never, if `nil`.
    package var expiresMs: Int64?

    package init(name: String, role: Role, isGuest: Bool = false, isApproved: Bool = true, createdMs: Int64, expiresMs: Int64? = nil) {
        self.name = name
        self.role = role
        self.isGuest = isGuest
        self.isApproved = isApproved
        self.createdMs = createdMs
        self.expiresMs = expiresMs
    }

    /// Under which its marks and places are kept. Names that an owner gives to devices never begin with `@`.
    package var person: Person { Person(Self.personSign + key) }
    /// The name in lower case, by which users are told apart.
    package var key: String { name.lowercased() }

    /// Stands in front of the names of persons that are users.
    package static let personSign = "@"
}

/// A user who has signed in, with the token by which the hub knows the session again. Only the hash of the token is kept.
package struct SignedIn: Equatable, Sendable {
    package var user: User
    package var token: String

    package init(user: User, token: String) {
        self.user = user
        self.token = token
    }
}

/// Whether people may make accounts, and who is let in without one: the settings `signup` and `guests`.
package struct UserPolicy: Equatable, Sendable {
    package enum SignUp: String, Sendable, CaseIterable { case off, approve, open }

    package var signUp: SignUp
    /// The role of guests; none are let in, if `nil`.
    package var guests: Role?

    package init(signUp: SignUp = .approve, guests: Role? = nil) {
        self.signUp = signUp
        self.guests = guests
    }
}

/// Signing up, in and out, for every dialect alike. Passwords are checked off the loop and slowed down per name and address;
/// a dialect does neither itself.
@Loop
package protocol UserAccess: AnyObject {
    var policy: UserPolicy { get }
    /// A new account. One that has yet to be approved is signed in once it is; until then this throws a fault that says so.
    func signUp(_ name: String, password: String, from address: String) async throws(ProtocolFault) -> SignedIn
    /// An unknown name and a wrong password get the same fault after the same time.
    func signIn(_ name: String, password: String, from address: String) async throws(ProtocolFault) -> SignedIn
    /// Lets a person in without an account, where the policy allows it.
    func enterAsGuest(named name: String?, from address: String) async throws(ProtocolFault) -> SignedIn
    /// The guest whom a visitor would be, and a token for that. Nothing is kept: the token counts for a day, until the hub ends.
    func guestPass() throws(ProtocolFault) -> SignedIn
    /// The guest of a pass that has no place yet.
    func guest(withPass pass: String) -> User?
    /// Takes a place for the guest of a pass. From then on the pass is the token of the session.
    func seat(_ pass: String, from address: String) throws(ProtocolFault) -> UserSession
    /// The user of a session; `nil` once it was signed out, revoked, or has expired.
    func user(withToken token: String) -> User?
    /// The session has ended for good, also over a kill of the hub, once this returns.
    func signOut(token: String) async throws(ProtocolFault)
    /// The same with the name of the session, by which a dialect looks whether a connection may go on.
    func session(withToken token: String) -> UserSession?
    /// The session of this name as it is now; `nil` once it has ended.
    func session(named id: String) -> UserSession?
    /// The user to whom an admin has linked this device.
    func user(of device: DeviceID) -> User?
}

/// A user as one connection or browser is signed in.
package struct UserSession: Equatable, Sendable {
    /// Names the session in lists. It is made of the token's hash, and no secret.
    package var id: String
    package var user: User

    package init(id: String, user: User) {
        self.id = id
        self.user = user
    }
}
