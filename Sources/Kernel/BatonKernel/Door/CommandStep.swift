package import BatonProtocol
package import BatonSeams

/// A rule for several commands. It runs before the handler of a command, in the order of the list of all steps.
///
/// A step refuses a command, carries it out itself, or notes it and passes it on. Steps that refuse come first, so that a
/// refused command is not noted. The step of joined rooms comes last, since it carries commands out.
@Loop
package protocol CommandStep {
    /// The handling of the command; `nil` passes it to the next step, and at last to its handler.
    func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling?
}

/// Refuses the commands of a person who was sent out of the room.
@Loop
package struct SentOutRule: CommandStep {
    package let people: People

    package func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling? {
        // In most rooms no person is refused, and then this check copies nothing of the room.
        guard !visit.live.room.presence.refusedUntilMs.isEmpty, command.kind.definition.isOfRoom else { return nil }
        if let fault = people.refusal(of: visit.identity, from: visit.live.room.id) { throw fault }
        return nil
    }
}
