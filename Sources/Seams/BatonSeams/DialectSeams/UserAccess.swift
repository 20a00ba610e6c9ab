/// User accounts of this hub, for dialects that sign people in and recognise them again.
package import BatonCore
package import BatonProtocol

/// A user with an account, or a guest without one.
package struct User: Equatable, Sendable {
    /// The unique name, without regard to case. It never changes, because marks, places and playlists are stored under it.
    package var name: String
    /// The highest role of its sessions and devices.
    package var role: Role
    /// True for a guest, who has no account.
    package var isGuest: Bool
    /// True when an admin has approved it, where `signup = approve` requires that.
    package var isApproved: Bool
    /// Wall clock time at which the account was made.
    package var createdMs: Milliseconds
    /// The time at which a guest's access ends; `nil` for never.
    package var expiresMs: Milliseconds?

    package init(
        name: String, role: Role, isGuest: Bool = false, isApproved: Bool = true, createdMs: Milliseconds, expiresMs: Milliseconds? = nil
    ) {
        self.name = name
        self.role = role
        self.isGuest = isGuest
        self.isApproved = isApproved
        self.createdMs = createdMs
        self.expiresMs = expiresMs
    }

    /// The person under whom its marks and places are stored. Names that an owner gives to devices never begin with `@`.
    package var person: Person { Person(Self.personSign + key) }
    /// The name in lower case, which identifies the user.
    package var key: String { name.lowercased() }

    /// The prefix of the names of persons that are users.
    package static let personSign = "@"
}

/// A user who has signed in, and the token of the session. Only the hash of the token is stored.
package struct SignedIn: Equatable, Sendable {
    package var user: User
    /// The token, which only this answer contains.
    package var token: String

    package init(user: User, token: String) {
        self.user = user
        self.token = token
    }
}

/// The rules for making accounts and for entering without one: the settings `signup` and `guests`.
package struct UserPolicy: Equatable, Sendable {
    /// The rule for new accounts: none, with the approval of an admin, or for everyone.
    package enum SignUp: String, Sendable, CaseIterable { case off, approve, open }

    package var signUp: SignUp
    /// The role of guests; `nil` when none are let in.
    package var guests: Role?

    package init(signUp: SignUp = .approve, guests: Role? = nil) {
        self.signUp = signUp
        self.guests = guests
    }
}

/// Signing up, in and out, for every dialect. Passwords are checked off the loop and slowed down per name and address, so a dialect does neither.
@Loop
package protocol UserAccess: AnyObject {
    var policy: UserPolicy { get }
    /// Makes an account. One that needs approval is signed in after that; until then this throws a fault that says so.
    func signUp(_ name: String, password: String, from address: String) async throws(ProtocolFault) -> SignedIn
    /// Signs in. An unknown name and a wrong password give the same fault after the same time.
    func signIn(_ name: String, password: String, from address: String) async throws(ProtocolFault) -> SignedIn
    /// Lets a person in without an account, where the policy permits it.
    func enterAsGuest(named name: String?, from address: String) async throws(ProtocolFault) -> SignedIn
    /// The guest that a visitor would become, and a token for it. Nothing is stored: the token is valid for a day, or until the hub ends.
    func guestPass() throws(ProtocolFault) -> SignedIn
    /// The guest of a pass that has no seat yet.
    func guest(withPass pass: String) -> User?
    /// Takes a seat for the guest of a pass. From then on the pass is the token of the session.
    func admitGuest(withPass pass: String, from address: String) throws(ProtocolFault) -> UserSession
    /// The user of a session; `nil` once it was signed out or revoked, or has expired.
    func user(withToken token: String) -> User?
    /// Ends the session permanently, even if the hub is killed, once this returns.
    func signOut(token: String) async throws(ProtocolFault)
    /// The session of a token, with the name that a dialect uses to check whether a connection may go on.
    func session(withToken token: String) -> UserSession?
    /// The present session of this name; `nil` once it has ended.
    func session(named id: String) -> UserSession?
    /// The user whom an admin has linked to this device.
    func user(of device: DeviceID) -> User?
}

/// A signed-in user of one connection or browser.
package struct UserSession: Equatable, Sendable {
    /// The name of the session in lists. It is made from the token's hash and is no secret.
    package var id: String
    package var user: User

    package init(id: String, user: User) {
        self.id = id
        self.user = user
    }
}
