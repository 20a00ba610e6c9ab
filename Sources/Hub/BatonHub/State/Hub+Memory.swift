import BatonCore
package import BatonProtocol

/// What the hub keeps for each connection, client, room and item, in numbers: each is bounded by a limit or by who is here.
extension Hub {
    package var memoryFigures: HubDiagnostics.Memory.Part {
        HubDiagnostics.Memory.Part(
            "hub",
            [
                .init("sessions", subscribers.count), .init("queuedBytes", subscribers.queuedBytes), .init("people", people.count),
                .init("rooms", rooms.count), .init("entries", rooms.reduce(0) { $0 + $1.room.queue.count }),
                .init("playersLeaving", closingPlayers.count), .init("clients", lastRooms.count), .init("frames", frames.count),
                .init("mediaPasses", media.count),
            ])
    }
}
