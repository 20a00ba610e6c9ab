/// The hub's own figures for monitoring. Most come from existing state; only commands are counted for them.
import BatonCore
import BatonKernel
import BatonProtocol
package import BatonSeams

extension Hub {
    package func countCommands() { commands.countCommands() }

    package var metricFamilies: [MetricFamily] {
        commands.figureFamilies + roomFamilies + streamFamilies + libraryFamilies + sourceFamilies
    }

    private var roomFamilies: [MetricFamily] {
        var playing: [Timeline.State: Int] = [:]
        for live in rooms.shared { playing[live.room.timeline.state, default: 0] += 1 }
        return [
            .gauge("sessions", "Connections of remotes.", Double(kernel.dialects.connections)),
            .gauge("commands_in_work", "Commands that are being carried out.", Double(commands.inWork)),
            .gauge("people", "Clients that are known to the hub at this moment.", Double(kernel.people.count)),
            MetricFamily(
                "rooms", "Rooms, by what they do.",
                .gauge(Timeline.State.allCases.map { .init(Double(playing[$0] ?? 0), [.init("state", $0.rawValue)]) })),
            .gauge("private_rooms", "Rooms that one person listens to alone.", Double(rooms.personal.count)),
            .gauge("queue_entries", "Entries in the queues of all rooms.", Double(rooms.all.reduce(0) { $0 + $1.room.queue.count })),
            .counter("player_underruns", "How often a player had nothing left to play.", Double(kernel.players.starvations)),
            .counter("revisions", "Changes of what clients are shown, since the journal began.", Double(kernel.publisher.state.revision)),
        ]
    }

    private var streamFamilies: [MetricFamily] {
        let (streams, transcodes) = (features.listening.streams, features.listening.transcodes)
        return [
            .gauge("stream_listeners", "Devices that hear the streams of rooms.", Double(streams.listenerCount)),
            .gauge(
                "streams", "Streams of rooms that are being encoded, whatever the number of their listeners.", Double(streams.streamCount)),
            .counter("items_encoded", "Items that were encoded for devices that play along.", Double(transcodes.encoded)),
            .counter("stream_encoders", "Encoders that were started for streams of rooms.", Double(streams.encodersStarted)),
        ]
    }

    private var libraryFamilies: [MetricFamily] {
        guard case .library(let library)? = kernel.publisher.state.posted(.library, of: nil)?.value else { return [] }
        let parts = [("tracks", library.tracks), ("albums", library.albums), ("artists", library.artists)]
        return [
            MetricFamily(
                "library_items", "What the local library holds.", .gauge(parts.map { .init(Double($0.1), [.init("kind", $0.0)]) })),
            .gauge("library_scans", "Scans of music folders that are running.", library.scan == nil ? 0 : 1),
        ]
    }

    /// The sources by kind and not by name, since a name may be that of a person.
    private var sourceFamilies: [MetricFamily] {
        var accounts: [SourcesSection.Source] = []
        if case .sources(let section)? = kernel.publisher.state.posted(.sources, of: nil)?.value { accounts = section.sources }
        var states: [String: (kind: String, state: String, count: Int)] = [:]
        for source in accounts {
            states[source.kind + " " + source.state.name, default: (source.kind, source.state.name, 0)].count += 1
        }
        return [
            MetricFamily(
                "sources", "Accounts at servers, by kind and state.",
                .gauge(
                    states.values.map { .init(Double($0.count), [.init("kind", $0.kind), .init("state", $0.state)]) })),
            .gauge(
                "outbox_notes", "What was done here and servers do not know yet.", Double(accounts.reduce(0) { $0 + $1.pending })),
            .gauge(
                "outbox_refused", "Of that, what servers refuse for good.", Double(accounts.reduce(0) { $0 + $1.refused })),
        ]
    }
}
