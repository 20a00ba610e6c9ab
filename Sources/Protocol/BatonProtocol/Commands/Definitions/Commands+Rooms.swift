public import BatonCore

/// Commands about rooms.
extension Commands {
    /// Makes a room.
    public struct RoomCreate: HubRequest {
        public typealias Answer = CreatedRoom

        public static let definition = CommandDefinition(.roomCreate)
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
        public static let definition = CommandDefinition(.roomRename)
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
        public static let definition = CommandDefinition(.roomDelete)
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
        public static let definition = CommandDefinition(.roomRestore)
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
        public static let definition = CommandDefinition(.roomSet)
        /// Without one it is the command's own.
        public var room: RoomID?
        public var floor: Int?
        public var ceiling: Int?
        public var startMax: Int?
        public var output: Patch<String>

        public init(_ room: RoomID? = nil, floor: Int? = nil, ceiling: Int? = nil, startMax: Int? = nil, output: Patch<String> = .unchanged)
        {
            self.room = room
            self.floor = floor
            self.ceiling = ceiling
            self.startMax = startMax
            self.output = output
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.room("room", value?.room), floor: try p.int("floor", value?.floor, in: ParameterRange.level),
                ceiling: try p.int("ceiling", value?.ceiling, in: ParameterRange.level),
                startMax: try p.int("startMax", value?.startMax, in: ParameterRange.level), output: try p.output("output", value?.output))
        }

        package var request: Request {
            .rooms(.set(room, RailChange(floor: floor, ceiling: ceiling, startMax: startMax), output: output))
        }
    }

    /// What plays in the command's own room goes on in another.
    public struct RoomMove: HubRequest {
        public static let definition = CommandDefinition(.roomMove)
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
