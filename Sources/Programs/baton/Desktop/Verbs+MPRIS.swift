import BatonClient
import DesktopBus

/// Shows the rooms of a hub as players on this desktop, until it is ended here or there.
extension Verb {
    @Sendable static func mpris(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call, settings: .background) { hub in
            let mirror = await DesktopMirror(of: hub, satellite, call)
            guard await mirror.bus.isNamed else {
                throw Stop(.refused, "There is no session bus here: DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR name none.")
            }
            let room = call.room == nil ? nil : try await hub.state().room
            Output.done("The players appear on this desktop. Ctrl-C ends them.", call)
            try await mirror.run(room)
        }
    }
}
