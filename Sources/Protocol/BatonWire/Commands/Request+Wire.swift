package import BatonCore
package import BatonProtocol

/// How a command is read from its frame.
extension Request {
    package static func decode(_ frame: CommandFrame, limits: WireLimits = .standard) throws(ProtocolFault) -> Request {
        try decode(frame, as: CommandKind(of: frame), limits: limits)
    }

    package static func decode(
        _ frame: CommandFrame, as kind: CommandKind, limits: WireLimits
    ) throws(ProtocolFault) -> Request {
        var decoder = CommandDecoder(frame: frame, limits: limits)
        do throws(ProtocolFault) { return try kind.accept(&decoder) } catch { throw error.answering(frame.id) }
    }
}

private struct CommandDecoder: CommandVisitor {
    let frame: CommandFrame
    let limits: WireLimits

    func visit<Command: HubRequest>(_ command: Command.Type) throws(ProtocolFault) -> Request {
        let command = try Command(from: frame, limits: limits)
        if frame.key == nil, command.needsKey {
            throw ProtocolFault(.badRequest, "\(Command.definition.name) needs a key, so that sending it again is safe.", at: "/k")
        }
        return command.request
    }

    func reserved(_ definition: CommandDefinition) -> Request { .unsupported(definition.kind) }
}

extension CommandRequest {
    /// The command that a frame of its name holds.
    package init(from frame: CommandFrame, limits: WireLimits = .standard) throws(ProtocolFault) {
        var reader = ParameterReader(frame.params, limits)
        self = try Self.coded(nil, &reader)
        try validate(ParameterFaults())
    }
}

extension CommandFrame {
    /// A command on its way to a hub.
    package init(
        id: Int, _ command: some CommandRequest, key: String? = nil, room: RoomID? = nil, ct: Int64? = nil, ttl: Int? = nil
    ) throws(ProtocolFault) {
        self.init(
            id: id, method: Swift.type(of: command).definition.name, key: key, room: room, ct: ct, ttl: ttl,
            params: try ParameterWriter.params(of: command))
    }
}
