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
    /// The kind of a command whose type is not known statically.
    package var kind: CommandKind { Self.kind }

    /// The rule of the command's class, which a command replaces if one of its parameters decides.
    public var needsKey: Bool { Self.kind.needsKey }
}

extension CommandKind {
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
        /// A table that is never written to a disk, since the answers hold secrets.
        case memory
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

    /// Whether a client must send a key with it, so that a repeat gets the first answer and no second effect.
    public var needsKey: Bool { `class` == .guarded || `class` == .keyed }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The command with this name on the wire; `nil` if this version does not know it.
    package static func named(_ method: String) -> CommandKind? { byName[method] }
}

/// The namespace of all commands, which keeps their short names apart from other types: `Commands.Next`.
public enum Commands {}
