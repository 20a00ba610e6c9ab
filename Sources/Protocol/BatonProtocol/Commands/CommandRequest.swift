/// One command of the protocol as a value: its parameters, who may send it, what makes a repeat harmless, and what its
/// answer carries.
///
/// Each parameter is declared once, in `coded`. A codec brings the coder: one that reads builds the value, one that
/// writes takes it apart, and one that describes lists the parameters. So what is sent, what is accepted and what the
/// documents say cannot differ.
public protocol CommandRequest: Equatable, Sendable {
    /// What a success carries beside its outcome.
    associatedtype Answer: CommandAnswer = NoAnswer

    static var definition: CommandDefinition { get }

    /// Declares the parameters. `value` is what a coder that writes takes apart, and `nil` for the others.
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
    /// As the hub decides by it.
    var request: Request { get }
}

/// One line of the table of commands in `Protocol/spec/05-commands.md`, apart from the parameters.
public struct CommandDefinition: Equatable, Sendable {
    /// What makes a repeat harmless.
    public enum Class: Sendable {
        /// Says what shall be, so saying it twice changes nothing.
        case absolute
        /// Names the state that the person was looking at; needs a key as well.
        case guarded
        /// Would count twice; needs a key.
        case keyed
        /// Changes nothing.
        case query
    }

    public let kind: RequestKind
    public let `class`: Class
    /// The least role that may send it. A guest's commands have further conditions, which the hub knows.
    public let role: Role
    /// Whether it may wait for a source or a disk without any other command having to wait behind it: it changes nothing,
    /// and its answer is true when it is given.
    public let runsBeside: Bool
    /// Whether a person caused it. Programs ask most questions by themselves; a search is typed and a shelf is opened.
    public let isOfPerson: Bool
    /// The specification reserves it, and no hub of this version can do it, whatever the role.
    public let isReserved: Bool

    init(_ kind: RequestKind, _ class: Class, _ role: Role, runsBeside: Bool = false, isOfPerson: Bool? = nil, isReserved: Bool = false) {
        self.kind = kind
        self.class = `class`
        self.role = role
        self.runsBeside = runsBeside
        self.isOfPerson = isOfPerson ?? (`class` != .query)
        self.isReserved = isReserved
    }

    public var name: String { kind.rawValue }
    public var needsKey: Bool { `class` == .guarded || `class` == .keyed }
}

/// All commands live here, so that their short names leave others alone: `Commands.Next`.
public enum Commands {}
