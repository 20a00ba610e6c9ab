package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// Notes people's commands in a room, since its endless music goes on for a while after the last one.
@Loop
package struct EndlessPresses: CommandStep {
    package let endless: EndlessService

    package func take(_ command: any CommandRequest, _ visit: Visit) -> Handling? {
        if command.kind.isOfPerson { endless.pressed(visit.live) }
        return nil
    }
}
