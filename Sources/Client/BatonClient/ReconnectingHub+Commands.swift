public import BatonCore
public import BatonProtocol
public import BatonWire

extension ReconnectingHub {
    /// Sends a command and waits for its reply, over several connections if necessary, while the command is valid. A
    /// command that must not count twice gets a key, which is the same each time it is sent. A refusal is thrown as
    /// `WireError`, and as `MissingProfile` if the hub does not know the command.
    @discardableResult
    public func send<Command: WireCommand>(
        _ command: Command, key: String? = nil, room: RoomID? = nil
    ) async throws -> Answered<Command.Answer> {
        do {
            let key = key ?? (command.needsKey ? Keys.random() : nil)
            return try Answered(try await deliver(command, key: key, room: room), to: Command.self)
        } catch let error as WireError where error.known == .unknownCommand {
            throw MissingProfile(command: Command.kind)
        }
    }

    /// Sends a query and returns the hub's result.
    public func ask<Command: WireCommand>(_ question: Command, room: RoomID? = nil) async throws -> Command.Answer {
        try await send(question, room: room).whole()
    }
}

extension HubConnection {
    /// Sends a command and waits for its reply. A refusal is thrown as `WireError`, and as `MissingProfile` if the hub does not know
    /// the command.
    @discardableResult
    public func send<Command: WireCommand>(
        _ command: Command, key: String? = nil, room: RoomID? = nil
    ) async throws -> Answered<Command.Answer> {
        do {
            let key = key ?? (command.needsKey ? Keys.random() : nil)
            return try Answered(try await deliver(command, key: key, room: room), to: Command.self)
        } catch let error as WireError where error.known == .unknownCommand {
            throw MissingProfile(command: Command.kind)
        }
    }

    /// Sends a query and returns the hub's result.
    public func ask<Command: WireCommand>(_ question: Command, room: RoomID? = nil) async throws -> Command.Answer {
        try await send(question, room: room).whole()
    }
}
