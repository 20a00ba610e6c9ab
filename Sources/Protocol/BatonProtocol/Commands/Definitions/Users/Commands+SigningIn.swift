/// Commands about the user who asks: signing up, in and out, and what is the user's own.
extension Commands {
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
}

extension Commands.UserSignUp: HubRequest {
    public typealias Answer = SignedInUser
    package var request: Request { .users(.signUp(name, password: password)) }
}
extension Commands.UserSignIn: HubRequest {
    public typealias Answer = SignedInUser
    package var request: Request { .users(.signIn(name, password: password)) }
}
extension Commands.UserSignOut: HubRequest { package var request: Request { .users(.signOut) } }
extension Commands.UserMe: HubRequest {
    public typealias Answer = OwnUser
    package var request: Request { .users(.me) }
}
extension Commands.UserSessions: HubRequest {
    public typealias Answer = UserSessionList
    package var request: Request { .users(.sessions(user)) }
}
extension Commands.UserRevoke: HubRequest { package var request: Request { .users(.revoke(user, session: session)) } }
extension Commands.UserExport: HubRequest {
    public typealias Answer = ExportedRows
    package var request: Request { .users(.export(user, from: from)) }
}
extension Commands.UserPassword: HubRequest { package var request: Request { .users(.setPassword(user, old: old, new: password)) } }
