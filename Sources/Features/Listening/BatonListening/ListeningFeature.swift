import BatonCore
package import BatonKernel
package import BatonSeams

/// Devices that play along: streams of rooms, encoded items, private rooms, and rooms that pause while no device hears them.
@Loop
package final class ListeningFeature: Feature {
    package let name = FeatureName.listening
    package let streams: RoomStreams
    package let transcodes: Transcodes
    let privateRooms: PrivateRooms
    private let emptyRooms: EmptyRooms
    private let commands: ListeningCommands
    private let links: LinkCommands
    private let alone: PrivateRoomCommands

    package init(_ kernel: Kernel, _ parts: HubParts) {
        streams = RoomStreams(rooms: kernel.rooms, sources: kernel.sources, clock: kernel.clock, limits: kernel.limits, log: kernel.log)
        transcodes = Transcodes(sources: kernel.sources, clock: kernel.clock, log: kernel.log)
        privateRooms = PrivateRooms(
            rooms: kernel.rooms, arranger: kernel.arranger, people: kernel.people, clock: kernel.clock, limits: kernel.limits,
            rails: kernel.volume, random: parts.randomName)
        emptyRooms = EmptyRooms(
            rooms: kernel.rooms, changes: kernel.changes, outputs: kernel.outputs, people: kernel.people, streams: streams)
        commands = ListeningCommands(
            people: kernel.people, sources: kernel.sources, media: kernel.media, settling: kernel.settling, ledger: kernel.ledger,
            clock: kernel.clock)
        links = LinkCommands(streams: streams, changes: kernel.changes)
        alone = PrivateRoomCommands(
            privateRooms: privateRooms, changes: kernel.changes, items: kernel.items, ports: kernel.ports,
            queueLength: kernel.limits.queueLength)
    }

    package var profiles: Set<HubProfile> { [.listening, .streams] }

    package func install(in commands: CommandTable) {
        self.commands.install(in: commands)
        links.install(in: commands)
        alone.install(in: commands)
    }

    package var hears: HubEvent.Kinds { [.peopleMoved, .listenersChanged, .streamsChanged] }

    package func handle(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .peopleMoved: round.tell("privateRooms") { privateRooms.peopleChanged() }
        case .listenersChanged(let room, let saidGoodbye):
            round.tell("emptyRooms") { emptyRooms.listenersChanged(in: room, saidGoodbye: saidGoodbye) }
        case .streamsChanged(let room): round.tell("emptyRooms") { emptyRooms.listenersChanged(in: room, saidGoodbye: true) }
        default: break
        }
    }

    package var roomObservers: [RoomObservers.Observer] {
        [.init("emptyRooms", .people) { [self] in emptyRooms.roomChanged($0) }]
    }

    package var closing: [Closing] {
        [
            Closing("privateRooms", .atOnce { self.privateRooms.close() }),
            Closing("emptyRooms", .atOnce { self.emptyRooms.close() }),
            Closing("streams", .waiting { await self.streams.close() }),
            Closing("transcodes", .waiting { await self.transcodes.close() }),
        ]
    }

    package var metricFamilies: [MetricFamily] {
        [
            .gauge("stream_listeners", help: "Devices that hear the streams of rooms.", Double(streams.listenerCount)),
            .gauge(
                "streams", help: "Streams of rooms that are being encoded, whatever the number of their listeners.",
                Double(streams.streamCount)),
            .counter("items_encoded", help: "Items that were encoded for devices that play along.", Double(transcodes.encoded)),
            .counter("stream_encoders", help: "Encoders that were started for streams of rooms.", Double(streams.encodersStarted)),
        ]
    }
}

extension FeatureName {
    static let listening = FeatureName("listening")
}
