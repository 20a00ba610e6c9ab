public import BatonCore
public import BatonProtocol
public import BatonWire

extension SteadyHub {
    /// Sends a command and waits for its one reply, over as many connections as that takes while the command is wanted. A
    /// command that would count twice gets a key of its own, and the same one however often it is sent again. A reply that
    /// says no is thrown as `WireError`.
    @discardableResult
    public func send<Command: WireCommand>(
        _ command: Command, key: String? = nil, room: RoomID? = nil
    ) async throws -> Answered<Command.Answer> {
        try Answered(try await deliver(command, key: key ?? (command.needsKey ? Keys.random() : nil), room: room), to: Command.kind)
    }

    /// Sends a question, and gives what the hub has answered.
    public func ask<Command: WireCommand>(_ question: Command, room: RoomID? = nil) async throws -> Command.Answer {
        try await send(question, room: room).whole()
    }
}

extension HubConnection {
    /// Sends a command and waits for its one reply. A reply that says no is thrown as `WireError`.
    @discardableResult
    public func send<Command: WireCommand>(
        _ command: Command, key: String? = nil, room: RoomID? = nil
    ) async throws -> Answered<Command.Answer> {
        try Answered(try await deliver(command, key: key ?? (command.needsKey ? Keys.random() : nil), room: room), to: Command.kind)
    }

    /// Sends a question, and gives what the hub has answered.
    public func ask<Command: WireCommand>(_ question: Command, room: RoomID? = nil) async throws -> Command.Answer {
        try await send(question, room: room).whole()
    }
}
