import BatonCore
package import BatonSeams

/// The kernel's figures for monitoring.
extension Kernel {
    package var metricFamilies: [MetricFamily] {
        var playing: [Timeline.State: Int] = [:]
        for live in rooms.shared { playing[live.room.timeline.state, default: 0] += 1 }
        return [
            .gauge("sessions", help: "Connections of remotes.", Double(dialects.connections)),
            .gauge("people", help: "Clients that are known to the hub at this moment.", Double(people.count)),
            MetricFamily(
                "rooms", help: "Rooms, by what they do.",
                .gauge(Timeline.State.allCases.map { .init(Double(playing[$0] ?? 0), [.init("state", $0.rawValue)]) })),
            .gauge("private_rooms", help: "Rooms that one person listens to alone.", Double(rooms.personal.count)),
            .gauge("queue_entries", help: "Entries in the queues of all rooms.", Double(rooms.all.reduce(0) { $0 + $1.room.queue.count })),
            .counter("player_underruns", help: "How often a player had nothing left to play.", Double(players.starvations)),
            .counter("revisions", help: "Changes of what clients are shown, since the journal began.", Double(publisher.state.revision)),
        ]
    }
}
