package import BatonProtocol
package import BatonSeams

/// A rule for several commands. It runs before the handler of a command, in the order of the list of all steps.
///
/// A step refuses a command, carries it out itself, or notes it and passes it on. Steps that refuse come first, so that a
/// refused command is not noted. The step of joined rooms comes last, since it carries commands out.
@Loop
package protocol CommandStep: AnyObject {
    /// Whether the step concerns commands of this kind.
    func concerns(_ kind: CommandKind) -> Bool

    /// Returns `nil` to let the command go on to the next step, and at last to its handler.
    func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling?
}

extension CommandStep {
    /// Concerns all commands. A step that names its own is not called for the others.
    package func concerns(_ kind: CommandKind) -> Bool { true }
}

/// A person who was sent out of a room may not send it commands.
@Loop
final class SentOutRule: CommandStep {
    private let people: People

    init(_ people: People) { self.people = people }

    /// Concerns the commands whose definition says `isOfRoom`.
    package func concerns(_ kind: CommandKind) -> Bool { kind.isOfRoom }

    /// Refuses the command while the person is out of the room; it carries nothing out.
    package func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling? {
        // In most rooms no person is refused, and then nothing of the room is copied to ask.
        guard !accepted.live.room.presence.refusedUntilMs.isEmpty else { return nil }
        if let fault = people.refusal(of: accepted.identity, from: accepted.live.room.id) { throw fault }
        return nil
    }
}
