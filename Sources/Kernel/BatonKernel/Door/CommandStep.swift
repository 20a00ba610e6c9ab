package import BatonProtocol
package import BatonSeams

/// A rule that holds for several commands. It is asked before the handler of a command, in the order of the one list of all steps.
///
/// A step refuses a command, carries it out itself, or notes that it was sent and lets it go on. In the list those that refuse come first,
/// so that nothing is noted of a command that is refused; a joined room comes last, since it carries commands out.
@Loop
package protocol CommandStep {
    /// `nil` lets the command go on to the next step, and at last to its handler.
    func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling?
}

/// A person who was sent out of a room may not send it commands.
@Loop
package struct SentOutRule: CommandStep {
    package let people: People

    package func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling? {
        // In most rooms no person is refused, and then nothing of the room is copied to ask.
        guard !visit.live.room.presence.refusedUntilMs.isEmpty, command.kind.definition.isOfRoom else { return nil }
        if let fault = people.refusal(of: visit.identity, from: visit.live.room.id) { throw fault }
        return nil
    }
}
