import BatonKernel
import BatonProtocol
import BatonSeams

/// Makes the person who presses play in a room its listener, whose places books update.
@Loop
final class PlaceCommandStep: CommandStep {
    private let places: PlaceService

    init(_ places: PlaceService) { self.places = places }

    func concerns(_ kind: CommandKind) -> Bool { PlaceService.begins(kind) }

    func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) -> Handling? {
        let pauses = command.kind == .toggle && command.typed(as: Commands.Toggle.self).want == .paused
        places.pressed(pauses ? .pause : command.kind, by: accepted.identity.person, in: accepted.live)
        return nil
    }
}
