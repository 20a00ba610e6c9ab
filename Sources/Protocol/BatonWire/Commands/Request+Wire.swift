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
        do throws(ProtocolFault) { return try kind.request(in: frame, limits: limits) } catch { throw error.answering(frame.id) }
    }
}

extension CommandFrame {
    /// A command on its way to a hub.
    package init(
        id: Int, _ command: some WireCommand, key: String? = nil, room: RoomID? = nil, ct: Int64? = nil, ttl: Int? = nil
    ) {
        self.init(
            id: id, method: Swift.type(of: command).definition.name, key: key, room: room, ct: ct, ttl: ttl, params: command.params)
    }

    /// What the hub does for a command that was read from this frame.
    func request<Command: HubRequest>(_ command: Command) throws(ProtocolFault) -> Request {
        if key == nil, command.needsKey {
            throw ProtocolFault(.badRequest, "\(Command.definition.name) needs a key, so that sending it again is safe.", at: "/k")
        }
        return command.request
    }
}
