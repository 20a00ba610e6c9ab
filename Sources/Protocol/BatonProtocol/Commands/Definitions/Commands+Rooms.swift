public import BatonCore

/// Commands about rooms.
extension Commands {
    /// Makes a room.
    public struct RoomCreate: HubRequest {
        public typealias Answer = CreatedRoom

        public static let kind = RequestKind.roomCreate
        public var name: String
        /// Without one it is heard where the hub itself is.
        public var output: String?

        public init(_ name: String, output: String? = nil) {
            self.name = name
            self.output = output
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("name", p.personalName("name", value?.name)),
                output: try p.output("output", value?.output.map { .set($0) }).value)
        }

        package var request: Request { .rooms(.create(name: name, output: output)) }
    }

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

    /// Deletes a room and its queue.
    public struct RoomDelete: HubRequest {
        public static let kind = RequestKind.roomDelete
        public var room: RoomID

        public init(_ room: RoomID) {
            self.room = room
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("room", p.room("room", value?.room)))
        }

        package var request: Request { .rooms(.delete(room)) }
    }

    /// Brings a deleted room back.
    public struct RoomRestore: HubRequest {
        public static let kind = RequestKind.roomRestore
        public var room: RoomID

        public init(_ room: RoomID) {
            self.room = room
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("room", p.room("room", value?.room)))
        }

        package var request: Request { .rooms(.restore(room)) }
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

/// Commands about playing along with a room of another server.
extension Commands {
    /// Has the command's room play along with a room of another server.
    public struct RoomJoin: HubRequest {
        public static let kind = RequestKind.roomJoin
        public var source: String
        /// By its id or its name; without one it is the server's default room.
        public var room: String?

        public init(_ source: String, room: String? = nil) {
            self.source = source
            self.room = room
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("source", p.sourceName("source", value?.source)), room: try p.text("room", value?.room, bytes: 1...256))
        }

        package var request: Request { .joining(.join(source: source, room: room)) }
    }

    /// Has the command's room play its own queue again.
    public struct RoomUnjoin: HubRequest {
        public static let kind = RequestKind.roomUnjoin

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self { Self() }

        package var request: Request { .joining(.leave) }
    }

    /// Says with which room of another server the command's room plays along.
    public struct RoomJoined: HubRequest {
        public typealias Answer = JoinedRoomInfo

        public static let kind = RequestKind.roomJoined

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self { Self() }

        package var request: Request { .joining(.look) }
    }
}

/// Commands about the people in a room.
extension Commands {
    /// Votes for skipping what plays.
    public struct VoteSkip: HubRequest {
        public static let kind = RequestKind.voteSkip
        public var entry: EntryID

        public init(_ entry: EntryID) { self.entry = entry }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("entry", p.entry("entry", value?.entry)))
        }

        package var request: Request { .presence(.vote(entry)) }
    }

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

    /// Sends a person out of the room.
    public struct PeopleKick: HubRequest {
        public static let kind = RequestKind.peopleKick
        /// As the section `listeners` names the person.
        public var who: String
        public var minutes: Int

        public init(_ who: String, minutes: Int = 10) {
            self.who = who
            self.minutes = minutes
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("who", p.text("who", value?.who, bytes: 1...16)),
                minutes: try p.int("minutes", value?.minutes, in: RoomPresence.minutes, default: 10))
        }

        package var request: Request { .presence(.kick(who, minutes: minutes)) }
    }
}
