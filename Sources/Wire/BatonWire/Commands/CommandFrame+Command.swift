package import BatonCore
package import BatonProtocol

/// Reading of commands from frames.
extension CommandFrame {
    /// The command with its parameters, checked against the limits. Each fault carries the id of the frame.
    package func command(within limits: WireLimits = .standard) throws(ProtocolFault) -> any CommandRequest {
        try command(of: CommandKind(of: self), within: limits)
    }

    package func command(of kind: CommandKind, within limits: WireLimits) throws(ProtocolFault) -> any CommandRequest {
        if case .member(let fault)? = defect { throw fault }
        do throws(ProtocolFault) { return try kind.command(in: self, limits: limits) } catch { throw error.answering(id) }
    }

    /// The command from this frame, if the values beside `p` are right and it has the key that it needs.
    func checked<Command: CommandRequest>(_ command: Command) throws(ProtocolFault) -> any CommandRequest {
        if case .value(let fault)? = defect { throw fault }
        if key == nil, command.needsKey {
            throw ProtocolFault(.badRequest, "\(Command.kind.rawValue) needs a key, so that sending it again is safe.", at: "/k")
        }
        return command
    }
}

extension CommandFrame {
    /// A command to send to a hub.
    package init(
        id: Int, _ command: some WireCommand, key: String? = nil, room: RoomID? = nil, ct: Milliseconds? = nil, ttl: Milliseconds? = nil
    ) {
        self.init(id: id, method: command.kind.rawValue, key: key, room: room, ct: ct, ttl: ttl, params: command.params)
    }
}
