public import BatonJSON
public import BatonProtocol

/// A command with its parameters as JSON. `ProtocolWriter` generates the conformance of each command.
public protocol WireCommand: CommandRequest {
    /// Reads the members of `p`. A number out of range is refused and never adjusted, so that a remote cannot show another value than the
    /// hub uses.
    init(params: JSONObject, limits: WireLimits) throws(ProtocolFault)

    /// The members of `p`. Parameters at their default are left out.
    var params: JSONObject { get }

    /// The content of a successful answer; `nil` if the hub sent only the outcome.
    static func answer(in data: JSON?) throws(ProtocolFault) -> Answer?
}

extension WireCommand where Answer == NoAnswer {
    public static func answer(in data: JSON?) -> NoAnswer? { NoAnswer() }
}
