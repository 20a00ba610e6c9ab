import BatonProtocol
import BatonSeams

/// Music without end goes on for a while after a person did something in the room.
@Loop
struct EndlessPresses: CommandStep {
    let endless: EndlessService

    func take(_ command: any CommandRequest, _ visit: Visit) -> Handling? {
        if command.kind.isOfPerson { endless.pressed(visit.live) }
        return nil
    }
}
