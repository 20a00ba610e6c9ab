/// Commands about the user who asks: signing up, in and out, and what is the user's own.
extension Commands {
    /// Makes an account.
    public struct UserSignUp: HubRequest {
        public typealias Answer = SignedInUser

        public static let kind = RequestKind.userSignup
        public var name: String
        public var password: String

        public init(_ name: String, password: String) {
            self.name = name
            self.password = password
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("name", p.text("name", value?.name, bytes: UserRequest.nameBytes)),
                password: try p.required("password", p.text("password", value?.password, bytes: UserRequest.passwordBytes)))
        }

        package var request: Request { .users(.signUp(name, password: password)) }
    }

    /// Signs this connection in.
    public struct UserSignIn: HubRequest {
        public typealias Answer = SignedInUser

        public static let kind = RequestKind.userSignin
        public var name: String
        public var password: String

        public init(_ name: String, password: String) {
            self.name = name
            self.password = password
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("name", p.text("name", value?.name, bytes: UserRequest.nameBytes)),
                password: try p.required("password", p.text("password", value?.password, bytes: UserRequest.passwordBytes)))
        }

        package var request: Request { .users(.signIn(name, password: password)) }
    }

    /// Lets this connection in without an account.
    public struct UserGuest: HubRequest {
        public typealias Answer = SignedInUser

        public static let kind = RequestKind.userGuest
        public var name: String?

        public init(_ name: String? = nil) {
            self.name = name
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.text("name", value?.name, bytes: UserRequest.nameBytes))
        }

        package var request: Request { .users(.guest(name)) }
    }

    /// Ends the session of this connection.
    public struct UserSignOut: HubRequest {
        public static let kind = RequestKind.userSignout

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self()
        }

        package var request: Request { .users(.signOut) }
    }

    /// Who is signed in here.
    public struct UserMe: HubRequest {
        public typealias Answer = OwnUser

        public static let kind = RequestKind.userMe

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self()
        }

        package var request: Request { .users(.me) }
    }

    /// Where a user is signed in.
    public struct UserSessions: HubRequest {
        public typealias Answer = UserSessionList

        public static let kind = RequestKind.userSessions
        /// Another user than the one who asks; only an admin names one.
        public var user: String?

        public init(user: String? = nil) {
            self.user = user
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                user: try p.text("user", value?.user, bytes: UserRequest.nameBytes))
        }

        package var request: Request { .users(.sessions(user)) }
    }

    /// Ends sessions of a user.
    public struct UserRevoke: HubRequest {
        public static let kind = RequestKind.userRevoke
        /// Another user than the one who asks; only an admin names one.
        public var user: String?
        /// Without it: all but that of this connection.
        public var session: String?

        public init(user: String? = nil, session: String? = nil) {
            self.user = user
            self.session = session
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                user: try p.text("user", value?.user, bytes: UserRequest.nameBytes),
                session: try p.token("session", value?.session, length: 1...32))
        }

        package var request: Request { .users(.revoke(user, session: session)) }
    }

    /// Everything that the hub keeps for a user.
    public struct UserExport: HubRequest {
        public typealias Answer = ExportedRows

        public static let kind = RequestKind.userExport
        /// Another user than the one who asks; only an admin names one.
        public var user: String?
        public var from: Int

        public init(user: String? = nil, from: Int = 0) {
            self.user = user
            self.from = from
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                user: try p.text("user", value?.user, bytes: UserRequest.nameBytes),
                from: try p.int("from", value?.from, in: 0...ParameterRange.deepest, default: 0))
        }

        package var request: Request { .users(.export(user, from: from)) }
    }

    /// Gives a user another password.
    public struct UserPassword: HubRequest {
        public static let kind = RequestKind.userPasswd
        /// Another user than the one who asks; only an admin names one.
        public var user: String?
        public var old: String?
        public var password: String

        public init(user: String? = nil, old: String? = nil, password: String) {
            self.user = user
            self.old = old
            self.password = password
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                user: try p.text("user", value?.user, bytes: UserRequest.nameBytes),
                old: try p.text("old", value?.old, bytes: UserRequest.passwordBytes),
                password: try p.required("password", p.text("password", value?.password, bytes: UserRequest.passwordBytes)))
        }

        package var request: Request { .users(.setPassword(user, old: old, new: password)) }
    }
}
