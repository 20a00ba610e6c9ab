import BatonKernel
import BatonProtocol
import BatonSeams

/// Makes the person who presses play in a room its listener, whose places books update.
@Loop
final class PlacePresses: CommandStep {
    private let places: PlaceService

    init(_ places: PlaceService) { self.places = places }

    func concerns(_ kind: CommandKind) -> Bool { PlaceService.begins(kind) }

    func take(_ command: any CommandRequest, _ visit: Visit) -> Handling? {
        // The kind is compared first, since the cast is slow.
        let pauses = command.kind == .toggle && (command as? Commands.Toggle)?.want == .paused
        places.pressed(pauses ? .pause : command.kind, by: visit.identity.person, in: visit.live)
        return nil
    }
}
