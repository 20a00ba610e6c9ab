import BatonClient
import BatonCore

/// The room's current position.
struct TopPosition: Sendable {
    var ms: Milliseconds
    var behindMs: Milliseconds?
    var sleepLeftMs: Milliseconds?

    static func of(_ hub: ReconnectingHub) async -> TopPosition {
        TopPosition(ms: await hub.positionMs(), behindMs: await hub.behindMs(), sleepLeftMs: await hub.sleepLeftMs())
    }
}
