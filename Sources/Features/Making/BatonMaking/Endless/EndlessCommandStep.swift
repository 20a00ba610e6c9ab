import BatonKernel
import BatonProtocol
import BatonSeams

/// Notes people's commands in a room, since its endless music goes on for a while after the last one.
@Loop
final class EndlessCommandStep: CommandStep {
    private let endless: EndlessMaking

    init(_ endless: EndlessMaking) { self.endless = endless }

    func concerns(_ kind: CommandKind) -> Bool { kind.isOfPerson }

    func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) -> Handling? {
        endless.pressed(accepted.live)
        return nil
    }
}
