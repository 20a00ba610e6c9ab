/// One command of the protocol as a value: its parameters, the role that may send it, its protection against repeats, and the data of its
/// answer.
///
/// The type, the documentation and the codec of each command are generated from its definition in `Protocol/commands`, so clients, hub and
/// documents agree.
public protocol CommandRequest: Equatable, Sendable {
    /// The type of what a successful answer carries beside its outcome.
    associatedtype Answer: Equatable, Sendable = NoAnswer

    static var kind: CommandKind { get }

    /// Whether this request must have a key.
    var needsKey: Bool { get }
}

extension CommandRequest {
    /// The row of the command in the table of commands.
    public static var definition: CommandDefinition { kind.definition }
    /// The kind of a command whose type is not known statically.
    package var kind: CommandKind { Self.kind }

    /// The rule of the command's class, which a command replaces if one of its parameters decides.
    public var needsKey: Bool { Self.definition.needsKey }
}

/// One line of the table of commands in `Protocol/spec/05-commands.md`, apart from the parameters.
public struct CommandDefinition: Equatable, Sendable {
    /// The reason why repeating a command is harmless.
    public enum Class: Sendable {
        /// Names the wanted state, so repeating it changes nothing.
        case absolute
        /// Names the state that the person saw; needs a key as well.
        case guarded
        /// Would take effect twice; needs a key.
        case keyed
        /// Changes nothing.
        case query
    }

    /// The place where a hub stores the keys of a command. A dragged volume control sends many commands, and none of them may displace the
    /// key of a `next`.
    public enum KeyTable: Sendable {
        /// The table of most commands.
        case shared
        /// A separate table, for a gesture whose steps add up.
        case apart
        /// No table, since the command names the wanted state.
        case none
    }

    /// The earlier commands of the same connection that a command waits for.
    public enum Order: Sendable {
        /// Commands of rooms, and all others without a different order.
        case ofRooms
        /// Commands that may wait for another server and do not concern playback.
        case ofServers
        /// No commands: it may wait for a source or a disk, changes nothing, and its answer describes the time at which it is given.
        case none
    }

    /// The command's identity, from which its name on the wire follows.
    public let kind: CommandKind
    /// The reason why a repeated command is harmless, which also decides whether it needs a key.
    public let `class`: Class
    /// The lowest role that may send it. The hub has further conditions for guests.
    public let role: Role
    /// The number of the page in `Protocol/changes` that introduced the command.
    public let since: Int
    /// The table in which the hub looks for the key of a repeated command.
    public let keys: KeyTable
    /// The earlier commands that must have ended before this one begins.
    public let order: Order
    /// Whether a person caused it. Programs send most queries on their own; a person types a search and opens a shelf.
    public let isOfPerson: Bool
    /// True for a command that the specification reserves. No hub of this version supports it, for any role.
    public let isReserved: Bool
    /// True if a person who does not control the room may not send it.
    public let controls: Bool
    /// True if it is refused to a person who was removed from the room.
    public let isOfRoom: Bool
    /// True if an item in it may be a playlist of a user.
    public let namesPlaylists: Bool

    public var name: String { kind.rawValue }
    /// Whether a client must send a key with it, so that a repeat gets the first answer and no second effect.
    public var needsKey: Bool { `class` == .guarded || `class` == .keyed }
}

extension CommandKind {
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The command with this name on the wire; `nil` if this version does not know it.
    package static func named(_ method: String) -> CommandKind? { byName[method] }

    package var role: Role { definition.role }
    package var keys: CommandDefinition.KeyTable { definition.keys }
    package var order: CommandDefinition.Order { definition.order }
    package var isOfPerson: Bool { definition.isOfPerson }
}

/// The namespace of all commands, which keeps their short names apart from other types: `Commands.Next`.
public enum Commands {}
