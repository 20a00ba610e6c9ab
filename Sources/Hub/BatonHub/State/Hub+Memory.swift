import BatonCore
package import BatonProtocol

/// What the hub keeps for each connection, client, room and item, in numbers: each is bounded by a limit or by who is here.
extension Hub {
    package var memoryFigures: HouseInfo.Memory.Part {
        HouseInfo.Memory.Part(
            "hub",
            [
                .init("sessions", crowd.count), .init("queuedBytes", crowd.queuedBytes), .init("people", people.count),
                .init("rooms", rooms.count), .init("entries", rooms.reduce(0) { $0 + $1.room.queue.count }),
                .init("playersLeaving", farewells.count), .init("clients", habits.count), .init("frames", frames.count),
                .init("mediaPasses", media.count),
            ])
    }
}
