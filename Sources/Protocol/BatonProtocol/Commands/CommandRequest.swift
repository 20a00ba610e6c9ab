/// One command of the protocol as a value: its parameters, who may send it, what makes a repeat harmless, and what its
/// answer carries.
///
/// The type of each command is written into the build from its definition in `Protocol/commands`, and so are its documents, and the code
/// with which a codec reads and writes it. So the senders, the hub and the documents cannot differ.
public protocol CommandRequest: Equatable, Sendable {
    /// The type of what a successful answer carries beside its outcome.
    associatedtype Answer: Equatable, Sendable = NoAnswer

    static var kind: CommandKind { get }

    /// Whether this one must have a key.
    var needsKey: Bool { get }
}

extension CommandRequest {
    public static var definition: CommandDefinition { kind.definition }
    /// The kind of a command whose type is not known.
    package var kind: CommandKind { Self.kind }

    public var needsKey: Bool { Self.definition.needsKey }
}

/// One line of the table of commands in `Protocol/spec/05-commands.md`, apart from the parameters.
public struct CommandDefinition: Equatable, Sendable {
    /// The reason why repeating a command is harmless.
    public enum Class: Sendable {
        /// Names the wanted state, so repeating it changes nothing.
        case absolute
        /// Names the state that the person was looking at; needs a key as well.
        case guarded
        /// Would take effect twice; needs a key.
        case keyed
        /// Changes nothing.
        case query
    }

    /// Where a hub remembers the keys of a command. A volume control that is dragged sends many commands, and none of them
    /// may push out the key of a `next`.
    public enum KeyTable: Sendable {
        /// With the keys of most other commands.
        case shared
        /// In a table of their own, for a gesture whose steps add up.
        case apart
        /// Nowhere: the command names the wanted state.
        case none
    }

    /// The commands of the same connection behind which it waits.
    public enum Order: Sendable {
        /// Commands of rooms, and all that are not said to be of another order.
        case ofRooms
        /// Commands that may wait for another server and are not about what a room plays.
        case ofServers
        /// None: it may wait for a source or a disk, changes nothing, and its answer is about the time at which it is given.
        case none
    }

    public let kind: CommandKind
    public let `class`: Class
    /// The least role that may send it. A guest's commands have further conditions, which the hub knows.
    public let role: Role
    /// The number of the page in `Protocol/changes` with which the command came.
    public let since: Int
    public let keys: KeyTable
    public let order: Order
    /// Whether a person caused it. Programs send most queries by themselves; a person types a search and opens a shelf.
    public let isOfPerson: Bool
    /// The specification reserves it, and no hub of this version can do it, whatever the role.
    public let isReserved: Bool
    /// A person who does not control the room may not send it.
    public let controls: Bool
    /// It is refused to a person who was sent out of the room.
    public let isOfRoom: Bool
    /// An item that it names may be a playlist of a user.
    public let namesPlaylists: Bool

    init(
        _ kind: CommandKind, _ class: Class, _ role: Role, since: Int, keys: KeyTable, order: Order, isOfPerson: Bool, isReserved: Bool,
        controls: Bool, isOfRoom: Bool, namesPlaylists: Bool
    ) {
        self.kind = kind
        self.class = `class`
        self.role = role
        self.since = since
        self.keys = keys
        self.order = order
        self.isOfPerson = isOfPerson
        self.isReserved = isReserved
        self.controls = controls
        self.isOfRoom = isOfRoom
        self.namesPlaylists = namesPlaylists
    }

    public var name: String { kind.rawValue }
    public var needsKey: Bool { `class` == .guarded || `class` == .keyed }
}

extension CommandKind {
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    package static func named(_ method: String) -> CommandKind? { byName[method] }

    package var role: Role { definition.role }
    package var keys: CommandDefinition.KeyTable { definition.keys }
    package var order: CommandDefinition.Order { definition.order }
    package var isOfPerson: Bool { definition.isOfPerson }
}

/// The namespace of all commands, which keeps their short names apart from other types: `Commands.Next`.
public enum Commands {}
