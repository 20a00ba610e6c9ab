import BatonClient

/// The room's current position.
struct TopPosition: Sendable {
    var ms: Int
    var behindMs: Int?
    var sleepLeftMs: Int?

    static func of(_ hub: ReconnectingHub) async -> TopPosition {
        TopPosition(ms: await hub.positionMs(), behindMs: await hub.behindMs(), sleepLeftMs: await hub.sleepLeftMs())
    }
}
