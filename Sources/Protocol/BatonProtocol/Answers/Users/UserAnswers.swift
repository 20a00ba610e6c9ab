public import BatonCore

/// The answer to `user.signup`, `user.signin` and `user.guest`.
public struct SignedInUser: Equatable, Sendable {
    public var user: String
    /// What the connection may do now.
    public var role: Role
    /// Shows the hub the same user again, in `hello`. `nil` where a cookie holds it.
    public var token: String?
    public var session: String
    /// When a guest has to leave.
    public var expiresMs: Int64?

    package init(user: String, role: Role, token: String?, session: String, expiresMs: Int64? = nil) {
        self.user = user
        self.role = role
        self.token = token
        self.session = session
        self.expiresMs = expiresMs
    }
}

/// The answer to `user.me`: who is signed in, and what the hub offers to others.
public struct OwnUser: Equatable, Sendable {
    /// `nil` where no user is signed in.
    public var user: String?
    /// What the connection may do.
    public var role: Role
    public var session: String?
    public var isGuest: Bool
    public var expiresMs: Int64?
    /// `off`, `approve` or `open`.
    public var signUp: String
    /// The role of guests, or `off`.
    public var guests: String

    package init(
        user: String?, role: Role, session: String? = nil, isGuest: Bool = false, expiresMs: Int64? = nil, signUp: String, guests: String
    ) {
        self.user = user
        self.role = role
        self.session = session
        self.isGuest = isGuest
        self.expiresMs = expiresMs
        self.signUp = signUp
        self.guests = guests
    }
}

/// The answer to `user.list`, the oldest account first.
public struct UserList: Equatable, Sendable {
    /// One user.
    public struct Row: Equatable, Sendable {
        public var user: String
        public var role: Role
        public var createdMs: Int64
        /// In how many places the user is signed in.
        public var sessions: Int
        public var isGuest: Bool
        /// An admin has to approve the account.
        public var waits: Bool
        public var expiresMs: Int64?
        /// The devices that are linked to the user.
        public var devices: [DeviceID]

        package init(
            user: String, role: Role, createdMs: Int64, sessions: Int = 0, isGuest: Bool = false, waits: Bool = false,
            expiresMs: Int64? = nil, devices: [DeviceID] = []
        ) {
            self.user = user
            self.role = role
            self.createdMs = createdMs
            self.sessions = sessions
            self.isGuest = isGuest
            self.waits = waits
            self.expiresMs = expiresMs
            self.devices = devices
        }
    }

    public var rows: [Row]
    /// How many users follow after these.
    public var more: Int

    package init(_ rows: [Row], more: Int = 0) {
        self.rows = rows
        self.more = more
    }
}

/// The answer to `user.sessions`, the oldest first.
public struct UserSessionList: Equatable, Sendable {
    /// One session.
    public struct Row: Equatable, Sendable {
        public var session: String
        public var createdMs: Int64
        /// The address from which the user signed in.
        public var address: String
        /// It is that of the connection that asks.
        public var isHere: Bool

        package init(session: String, createdMs: Int64, address: String, isHere: Bool = false) {
            self.session = session
            self.createdMs = createdMs
            self.address = address
            self.isHere = isHere
        }
    }

    public var rows: [Row]
    /// How many follow after these.
    public var more: Int

    package init(_ rows: [Row], more: Int = 0) {
        self.rows = rows
        self.more = more
    }
}

/// The answer to `user.export`: rows of several kinds, each with its `kind` and what belongs to it.
public struct ExportedRows: Equatable, Sendable {
    public var rows: [PersonRow]
    /// Where the next page begins; `nil` at the end.
    public var cursor: String?
    public var total: Int

    package init(_ rows: [PersonRow], cursor: String? = nil, total: Int) {
        self.rows = rows
        self.cursor = cursor
        self.total = total
    }
}

/// The answer to `pl.share`: who may see the list now, and the word that opens it where it is shared by a link.
public struct SharedPlaylist: Equatable, Sendable {
    public var sharing: PlaylistSharing
    public var link: String?

    package init(_ sharing: PlaylistSharing, link: String? = nil) {
        self.sharing = sharing
        self.link = link
    }
}

extension RoomControl: CommandAnswer {
    public static let form: ReplyData.Form? = .roomControl

    public init?(_ data: ReplyData?) {
        guard case .roomControl(let value)? = data else { return nil }
        self = value
    }
}

extension SharedPlaylist: CommandAnswer {
    public static let form: ReplyData.Form? = .sharedPlaylist

    public init?(_ data: ReplyData?) {
        guard case .sharedPlaylist(let value)? = data else { return nil }
        self = value
    }
}

extension SignedInUser: CommandAnswer {
    public static let form: ReplyData.Form? = .signedIn

    public init?(_ data: ReplyData?) {
        guard case .signedIn(let value)? = data else { return nil }
        self = value
    }
}

extension OwnUser: CommandAnswer {
    public static let form: ReplyData.Form? = .ownUser

    public init?(_ data: ReplyData?) {
        guard case .ownUser(let value)? = data else { return nil }
        self = value
    }
}

extension UserList: CommandAnswer {
    public static let form: ReplyData.Form? = .users

    public init?(_ data: ReplyData?) {
        guard case .users(let value)? = data else { return nil }
        self = value
    }
}

extension UserSessionList: CommandAnswer {
    public static let form: ReplyData.Form? = .userSessions

    public init?(_ data: ReplyData?) {
        guard case .userSessions(let value)? = data else { return nil }
        self = value
    }
}

extension ExportedRows: CommandAnswer {
    public static let form: ReplyData.Form? = .exported

    public init?(_ data: ReplyData?) {
        guard case .exported(let value)? = data else { return nil }
        self = value
    }
}
