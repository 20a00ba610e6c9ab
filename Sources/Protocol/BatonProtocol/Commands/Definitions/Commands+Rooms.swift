public import BatonCore

/// Commands about rooms.
extension Commands {
    /// Gives a room another name.
    public struct RoomRename: HubRequest {
        public static let kind = RequestKind.roomRename
        public var room: RoomID
        public var name: String

        public init(_ room: RoomID, to name: String) {
            self.room = room
            self.name = name
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("room", p.room("room", value?.room)), to: try p.required("name", p.personalName("name", value?.name)))
        }

        package var request: Request { .rooms(.rename(room, to: name)) }
    }

    /// How loud a room may become, and where it is heard.
    public struct RoomSet: HubRequest {
        public static let kind = RequestKind.roomSet
        /// Without one it is the command's own.
        public var room: RoomID?
        public var floor: Int?
        public var ceiling: Int?
        public var startMax: Int?
        public var output: Patch<String>
        /// What a room without a speaker does while no one listens.
        public var whenEmpty: WhenEmpty?

        public init(
            _ room: RoomID? = nil, floor: Int? = nil, ceiling: Int? = nil, startMax: Int? = nil, output: Patch<String> = .unchanged,
            whenEmpty: WhenEmpty? = nil
        ) {
            self.room = room
            self.floor = floor
            self.ceiling = ceiling
            self.startMax = startMax
            self.output = output
            self.whenEmpty = whenEmpty
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.room("room", value?.room), floor: try p.int("floor", value?.floor, in: ParameterRange.level),
                ceiling: try p.int("ceiling", value?.ceiling, in: ParameterRange.level),
                startMax: try p.int("startMax", value?.startMax, in: ParameterRange.level), output: try p.output("output", value?.output),
                whenEmpty: try p.choice("whenEmpty", value?.whenEmpty))
        }

        package var request: Request {
            .rooms(.set(room, RailChange(floor: floor, ceiling: ceiling, startMax: startMax), output: output, whenEmpty: whenEmpty))
        }
    }

    /// What plays in the command's own room goes on in another.
    public struct RoomMove: HubRequest {
        public static let kind = RequestKind.roomMove
        public var target: RoomID
        public var keep: Bool

        public init(to target: RoomID, keep: Bool = false) {
            self.target = target
            self.keep = keep
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(to: try p.required("to", p.room("to", value?.target)), keep: try p.bool("keep", value?.keep, default: false))
        }

        package var request: Request { .rooms(.move(to: target, keep: keep)) }
    }
}

/// Commands about the people in a room.
extension Commands {
    /// Sets how many of those who hear a room it takes to skip what plays.
    public struct VoteRule: HubRequest {
        public static let kind = RequestKind.voteRule
        /// Permille; 0 is no voting.
        public var share: Int

        public init(share: Int) { self.share = share }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(share: try p.required("share", p.int("share", value?.share, in: RoomPresence.shares)))
        }

        package var request: Request { .presence(.setShare(share)) }
    }
}

extension Commands.RoomCreate: HubRequest {
    public typealias Answer = CreatedRoom
    package var request: Request { .rooms(.create(name: name, output: output)) }
}
extension Commands.RoomDelete: HubRequest { package var request: Request { .rooms(.delete(room)) } }
extension Commands.RoomRestore: HubRequest { package var request: Request { .rooms(.restore(room)) } }
extension Commands.RoomJoin: HubRequest { package var request: Request { .joining(.join(source: source, room: room)) } }
extension Commands.RoomUnjoin: HubRequest { package var request: Request { .joining(.leave) } }
extension Commands.RoomJoined: HubRequest {
    public typealias Answer = JoinedRoomInfo
    package var request: Request { .joining(.look) }
}
extension Commands.VoteSkip: HubRequest { package var request: Request { .presence(.vote(entry)) } }
extension Commands.PeopleKick: HubRequest { package var request: Request { .presence(.kick(who, minutes: minutes)) } }
