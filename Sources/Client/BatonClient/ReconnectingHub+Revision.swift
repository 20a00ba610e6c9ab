public import BatonCore
public import BatonProtocol
public import BatonWire

extension ReconnectingHub {
    /// Limit of attempts with newer revisions before the refusal is thrown.
    private static let mostRepeats = 3

    /// Sends a command that names a revision but has the same meaning for any, such as emptying the queue. After
    /// `queue_conflict` it is sent again with the hub's revision. A command that depends on what a person has seen
    /// must not be sent like this.
    @discardableResult
    public func send<Command: WireCommand>(
        atRevision base: Int, room: RoomID? = nil, _ command: @Sendable (Int) -> Command
    ) async throws -> Answered<Command.Answer> {
        var base = base
        for _ in 0..<Self.mostRepeats {
            // Another revision makes another command, which needs a new key.
            do { return try await send(command(base), key: Keys.random(), room: room) } catch let error as WireError {
                guard error.known == .queueConflict, let newer = error.revision, newer != base else { throw error }
                base = newer
            }
        }
        return try await send(command(base), key: Keys.random(), room: room)
    }
}
