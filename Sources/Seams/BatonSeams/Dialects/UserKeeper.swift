/// Where the accounts of people are kept between two runs of the hub: users, their sessions, and the devices linked to them.
package import BatonCore
package import BatonProtocol

/// A user as it is kept.
package struct KeptUser: Equatable, Sendable {
    package var user: User
    /// Guests have none.
    package var password: PasswordHash?

    package init(_ user: User, password: PasswordHash?) {
        self.user = user
        self.password = password
    }
}

/// A session as it is kept. Its token is not kept, so that a reader of the file cannot sign in with it.
package struct KeptSession: Equatable, Sendable {
    /// SHA-256 of the token.
    package var hash: [UInt8]
    /// The user's name in lower case.
    package var user: String
    package var createdMs: Int64
    /// The address from which the user signed in.
    package var address: String

    package init(hash: [UInt8], user: String, createdMs: Int64, address: String) {
        self.hash = hash
        self.user = user
        self.createdMs = createdMs
        self.address = address
    }
}

/// A device that belongs to a user.
package struct UserLink: Equatable, Sendable {
    package var device: DeviceID
    /// The user's name in lower case.
    package var user: String

    package init(device: DeviceID, user: String) {
        self.device = device
        self.user = user
    }
}

/// Everything that is kept about users.
package struct UserTable: Equatable, Sendable {
    package var users: [KeptUser]
    package var sessions: [KeptSession]
    package var links: [UserLink]
    /// Rooms that not all may control.
    package var controls: [RoomID: RoomControl]

    package init(
        users: [KeptUser] = [], sessions: [KeptSession] = [], links: [UserLink] = [], controls: [RoomID: RoomControl] = [:]
    ) {
        self.users = users
        self.sessions = sessions
        self.links = links
        self.controls = controls
    }
}

package enum UserChange: Equatable, Sendable {
    case put(KeptUser)
    /// With all sessions and links of this user, named in lower case.
    case remove(String)
    case open(KeptSession)
    /// Ends the session whose token has this hash.
    case end([UInt8])
    case link(UserLink)
    case unlink(DeviceID)
    case control(RoomID, RoomControl)
}

/// Blocks on the disk, and is never asked on the loop.
package protocol UserKeeper: Sendable {
    func load() throws(SourceFault) -> UserTable
    /// All of them or none. Returns when they would survive the death of this process.
    func keep(_ changes: [UserChange]) throws(SourceFault)
}
