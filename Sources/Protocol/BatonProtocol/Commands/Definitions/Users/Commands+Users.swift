public import BatonCore

/// Commands about users that an admin gives.
extension Commands {
    /// Lists the users.
    public struct Users: HubRequest {
        public typealias Answer = UserList

        public static let kind = RequestKind.userList
        public var from: Int

        public init(from: Int = 0) {
            self.from = from
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                from: try p.int("from", value?.from, in: 0...ParameterRange.deepest, default: 0))
        }

        package var request: Request { .users(.list(from: from)) }
    }

    /// Makes an account for a person.
    public struct UserAdd: HubRequest {
        public static let kind = RequestKind.userAdd
        public var name: String
        public var password: String
        public var role: Role

        public init(_ name: String, password: String, role: Role = .remote) {
            self.name = name
            self.password = password
            self.role = role
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("name", p.text("name", value?.name, bytes: UserRequest.nameBytes)),
                password: try p.required("password", p.text("password", value?.password, bytes: UserRequest.passwordBytes)),
                role: try p.choice("role", value?.role, default: .remote))
        }

        package var request: Request { .users(.add(name, password: password, role: role)) }
    }

    /// Changes what a user may do.
    public struct UserRole: HubRequest {
        public static let kind = RequestKind.userRole
        public var user: String
        public var role: Role

        public init(_ user: String, _ role: Role) {
            self.user = user
            self.role = role
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("user", p.text("user", value?.user, bytes: UserRequest.nameBytes)),
                try p.required("role", p.choice("role", value?.role)))
        }

        package var request: Request { .users(.setRole(user, role)) }
    }

    /// Lets a new account in.
    public struct UserApprove: HubRequest {
        public static let kind = RequestKind.userApprove
        public var user: String

        public init(_ user: String) {
            self.user = user
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("user", p.text("user", value?.user, bytes: UserRequest.nameBytes)))
        }

        package var request: Request { .users(.approve(user)) }
    }

    /// Removes a user, with everything that is kept for it.
    public struct UserRemove: HubRequest {
        public static let kind = RequestKind.userRemove
        public var user: String

        public init(_ user: String) {
            self.user = user
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("user", p.text("user", value?.user, bytes: UserRequest.nameBytes)))
        }

        package var request: Request { .users(.remove(user)) }
    }

    /// Says to which user a paired device belongs.
    public struct UserLinkSet: HubRequest {
        public static let kind = RequestKind.userLink
        public var device: DeviceID
        /// Without it: to none.
        public var user: String?

        public init(_ device: DeviceID, to user: String? = nil) {
            self.device = device
            self.user = user
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.device(value?.device),
                to: try p.text("user", value?.user, bytes: UserRequest.nameBytes))
        }

        package var request: Request { .users(.link(device, to: user)) }
    }

    /// Gives a user what is kept for a person of devices.
    public struct UserAdopt: HubRequest {
        public static let kind = RequestKind.userAdopt
        public var person: Person
        public var user: String

        public init(person: Person = .home, by user: String) {
            self.person = person
            self.user = user
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                person: try p.personalName("person", value.flatMap { $0.person == .home ? nil : $0.person.text }).map { Person($0) }
                    ?? .home,
                by: try p.required("user", p.text("user", value?.user, bytes: UserRequest.nameBytes)))
        }

        package var request: Request { .users(.adopt(person, by: user)) }
    }

    /// Says who controls a room; without a parameter it tells who does.
    public struct RoomControlSet: HubRequest {
        public typealias Answer = RoomControl

        public static let kind = RequestKind.roomControl
        /// Without it the command's own.
        public var target: RoomID?
        public var who: RoomControl.Who?
        /// A user who is named from now on.
        public var user: String?
        /// The user is named no longer.
        public var isOff: Bool

        public init(_ target: RoomID? = nil, who: RoomControl.Who? = nil, user: String? = nil, isOff: Bool = false) {
            self.target = target
            self.who = who
            self.user = user
            self.isOff = isOff
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.room("room", value?.target), who: try p.choice("who", value?.who),
                user: try p.text("user", value?.user, bytes: UserRequest.nameBytes), isOff: try p.bool("off", value?.isOff, default: false))
        }

        package var request: Request { .users(.control(target, who, user: user, isOff: isOff)) }
    }
}
