public import BatonCore

/// Commands about users that an admin gives.
extension Commands {
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
                try p.required("dev", p.device("dev", value?.device)),
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

extension Commands.Users: HubRequest {
    public typealias Answer = UserList
    package var request: Request { .users(.list(from: from)) }
}
extension Commands.UserAdd: HubRequest { package var request: Request { .users(.add(name, password: password, role: role)) } }
extension Commands.UserApprove: HubRequest { package var request: Request { .users(.approve(user)) } }
extension Commands.UserRemove: HubRequest { package var request: Request { .users(.remove(user)) } }
