/// One command of the protocol as a value: its parameters, who may send it, what makes a repeat harmless, and what its
/// answer carries.
///
/// Each parameter is declared once, in `coded`. A codec passes in the coder: one that reads builds the value, one that
/// writes reads it out, and one that describes lists the parameters. So the senders, the hub and the documents cannot
/// differ.
public protocol CommandRequest: Equatable, Sendable {
    /// The data of a successful answer beside its outcome.
    associatedtype Answer: CommandAnswer = NoAnswer

    static var definition: CommandDefinition { get }

    /// Declares the parameters. `value` is the command that is written; it is `nil` for a coder that reads or describes.
    static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self

    /// Whether the parameters, each valid by itself, fit together.
    func validate(_ faults: ParameterFaults) throws(ProtocolFault)

    /// Whether this one must have a key.
    var needsKey: Bool { get }
}

extension CommandRequest {
    public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {}

    public var needsKey: Bool { Self.definition.needsKey }
}

/// A command that the hub can do.
package protocol HubRequest: CommandRequest {
    /// The form in which the hub carries it out.
    var request: Request { get }
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

    public let kind: RequestKind
    public let `class`: Class
    public let keys: KeyTable
    /// The least role that may send it. A guest's commands have further conditions, which the hub knows.
    public let role: Role
    /// The commands of the same connection behind which it waits.
    public enum Order: Sendable {
        /// Commands of rooms, and all that are not said to be of another order.
        case ofRooms
        /// Commands that may wait for another server and are not about what a room plays.
        case ofServers
        /// None: it may wait for a source or a disk, changes nothing, and its answer is about the time at which it is given.
        case none
    }

    public let order: Order
    /// Whether a person caused it. Programs send most queries by themselves; a person types a search and opens a shelf.
    public let isOfPerson: Bool
    /// The specification reserves it, and no hub of this version can do it, whatever the role.
    public let isReserved: Bool
    /// The number of the page in `Protocol/changes` with which the command came.
    public let since: Int

    /// Class and role are those of the table, which is written from `Protocol/commands`.
    init(_ kind: RequestKind, order: Order = .ofRooms, isOfPerson: Bool? = nil) {
        let row = kind.row
        self.kind = kind
        self.class = row.class
        keys = row.keys
        role = row.role
        since = row.since
        isReserved = row.isReserved
        self.order = order
        self.isOfPerson = isOfPerson ?? (row.class != .query)
    }

    public var name: String { kind.rawValue }
    public var needsKey: Bool { `class` == .guarded || `class` == .keyed }
}

/// The namespace of all commands, which keeps their short names apart from other types: `Commands.Next`.
public enum Commands {}
