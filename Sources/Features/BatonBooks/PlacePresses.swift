package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// The person who presses play in a room listens there, and books move that person's places.
@Loop
package struct PlacePresses: CommandStep {
    package let places: PlaceService

    package func take(_ command: any CommandRequest, _ visit: Visit) -> Handling? {
        // The kind is compared first, since a cast costs as much as all other steps.
        let pauses = command.kind == .toggle && (command as? Commands.Toggle)?.want == .paused
        places.pressed(pauses ? .pause : command.kind, by: visit.identity.person, in: visit.live)
        return nil
    }
}
