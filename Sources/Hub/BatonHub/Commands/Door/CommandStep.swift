import BatonProtocol
import BatonSeams

/// A rule that holds for several commands. It is asked before the handler of a command, in the order of the one list of all steps.
///
/// A step refuses a command, carries it out itself, or notes that it was sent and lets it go on. In the list those that refuse come first,
/// so that nothing is noted of a command that is refused; a joined room comes last, since it carries commands out.
///
/// Steps are objects, since all of them are asked before each command, and a value would be copied for that.
@Loop
protocol CommandStep: AnyObject {
    /// Whether it is asked about commands of this kind at all.
    func concerns(_ kind: CommandKind) -> Bool

    /// `nil` lets the command go on to the next step, and at last to its handler.
    func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling?
}

extension CommandStep {
    func concerns(_ kind: CommandKind) -> Bool { true }
}

/// A person who was sent out of a room may not send it commands.
@Loop
final class SentOutRule: CommandStep {
    private let people: People

    init(_ people: People) { self.people = people }

    func concerns(_ kind: CommandKind) -> Bool { kind.definition.isOfRoom }

    func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling? {
        // In most rooms no person is refused, and then nothing of the room is copied to ask.
        guard !visit.live.room.presence.refusedUntilMs.isEmpty else { return nil }
        if let fault = people.refusal(of: visit.identity, from: visit.live.room.id) { throw fault }
        return nil
    }
}

/// Music without end goes on for a while after a person did something in the room.
@Loop
final class EndlessPresses: CommandStep {
    private let endless: EndlessService

    init(_ endless: EndlessService) { self.endless = endless }

    func concerns(_ kind: CommandKind) -> Bool { kind.isOfPerson }

    func take(_ command: any CommandRequest, _ visit: Visit) -> Handling? {
        endless.pressed(visit.live)
        return nil
    }
}

/// The person who presses play in a room listens there, and books move that person's places.
@Loop
final class PlacePresses: CommandStep {
    private let places: PlaceService

    init(_ places: PlaceService) { self.places = places }

    func concerns(_ kind: CommandKind) -> Bool { PlaceService.begins(kind) }

    func take(_ command: any CommandRequest, _ visit: Visit) -> Handling? {
        // The kind is compared first, since a cast costs as much as all other steps.
        let pauses = command.kind == .toggle && (command as? Commands.Toggle)?.want == .paused
        places.pressed(pauses ? .pause : command.kind, by: visit.identity.person, in: visit.live)
        return nil
    }
}
