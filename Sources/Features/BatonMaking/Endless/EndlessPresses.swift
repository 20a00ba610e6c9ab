package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// Music without end goes on for a while after a person did something in the room.
@Loop
package struct EndlessPresses: CommandStep {
    package let endless: EndlessService

    package func take(_ command: any CommandRequest, _ visit: Visit) -> Handling? {
        if command.kind.isOfPerson { endless.pressed(visit.live) }
        return nil
    }
}
