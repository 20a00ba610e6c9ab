/// The store of people's accounts: users, their sessions, and the devices linked to them.
package import BatonCore
package import BatonProtocol

/// A user in stored form.
package struct StoredUser: Equatable, Sendable {
    package var user: User
    /// The password's hash; `nil` for guests.
    package var password: PasswordHash?

    package init(_ user: User, password: PasswordHash?) {
        self.user = user
        self.password = password
    }
}

/// A session in stored form. Its token is not stored, so that a reader of the file cannot sign in with it.
package struct StoredSession: Equatable, Sendable {
    /// SHA-256 of the token.
    package var hash: [UInt8]
    /// The user's name in lower case.
    package var user: String
    /// Wall clock time of signing in.
    package var createdMs: Milliseconds
    /// The address from which the user signed in.
    package var address: String

    package init(hash: [UInt8], user: String, createdMs: Milliseconds, address: String) {
        self.hash = hash
        self.user = user
        self.createdMs = createdMs
        self.address = address
    }
}

/// A device that belongs to a user.
package struct UserLink: Equatable, Sendable {
    /// The device that belongs to the user.
    package var device: DeviceID
    /// The user's name in lower case.
    package var user: String

    package init(device: DeviceID, user: String) {
        self.device = device
        self.user = user
    }
}

/// All stored data of users.
package struct UserTable: Equatable, Sendable {
    package var users: [StoredUser]
    /// The sessions that have not ended.
    package var sessions: [StoredSession]
    package var links: [UserLink]
    /// Rooms that not everyone may control.
    package var controls: [RoomID: RoomControl]

    package init(
        users: [StoredUser] = [], sessions: [StoredSession] = [], links: [UserLink] = [], controls: [RoomID: RoomControl] = [:]
    ) {
        self.users = users
        self.sessions = sessions
        self.links = links
        self.controls = controls
    }
}

/// One change of the stored data.
package enum UserChange: Equatable, Sendable {
    /// Adds a user, or replaces the one with the same key.
    case put(StoredUser)
    /// Removes this user, named in lower case, with all sessions and links.
    case remove(String)
    /// Adds a session, when a person signs in.
    case open(StoredSession)
    /// Ends the session whose token has this hash.
    case end([UInt8])
    /// Links a device to a user.
    case link(UserLink)
    /// Removes the link of a device.
    case unlink(DeviceID)
    /// Sets who may control a room.
    case control(RoomID, RoomControl)
}

/// The store of users. Blocks on the disk, and is never called on the loop.
package protocol UserStorage: Sendable {
    func load() throws(SourceFault) -> UserTable
    /// Stores all changes or none. Returns when they would survive a crash of this process.
    func store(_ changes: [UserChange]) throws(SourceFault)
}
