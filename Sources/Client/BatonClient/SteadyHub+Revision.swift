public import BatonCore
public import BatonProtocol
public import BatonWire

extension SteadyHub {
    /// How often a command is sent again for a newer revision, before its refusal is passed on.
    private static let mostRepeats = 3

    /// Sends a command that names the revision it was made for, and means the same whatever that revision holds, such as
    /// emptying a queue. After `queue_conflict` it is sent again for the revision that the hub has named; a command that
    /// depends on what a person has seen must not be sent this way.
    @discardableResult
    public func send<Command: WireCommand>(
        atRevision base: Int, room: RoomID? = nil, _ command: @Sendable (Int) -> Command
    ) async throws -> Answered<Command.Answer> {
        var base = base
        for _ in 0..<Self.mostRepeats {
            // Another base makes another command, and that needs a key of its own.
            do { return try await send(command(base), key: Keys.random(), room: room) } catch let error as WireError {
                guard error.known == .queueConflict, let newer = error.revision, newer != base else { throw error }
                base = newer
            }
        }
        return try await send(command(base), key: Keys.random(), room: room)
    }
}
