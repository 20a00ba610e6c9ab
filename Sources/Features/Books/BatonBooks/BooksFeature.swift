import BatonCore
package import BatonKernel
package import BatonSeams

/// Spoken items: people's places in them, here and at servers, the playback speed, and skipped silences.
@Loop
package final class BooksFeature: Feature {
    package let name = FeatureName.books
    let places: PlaceService
    private let sending: PlaceSending
    private let serverPlaces: ServerPlaces
    private let silences: SilenceService
    let commands: ProgressCommands

    package init(_ kernel: Kernel, servers: any ServerTelling, accounts: any AccountMemory, marks: any PersonMarks) {
        places = PlaceService(
            rooms: kernel.rooms, changes: kernel.changes, sources: kernel.sources, clock: kernel.clock, events: kernel.events,
            log: kernel.log)
        sending = PlaceSending(kernel.sources, accounts)
        serverPlaces = ServerPlaces(
            places: places, sending: sending, servers: servers, sources: kernel.sources, dialects: kernel.dialects, clock: kernel.clock,
            log: kernel.log)
        silences = SilenceService(sources: kernel.sources, rooms: kernel.rooms, changes: kernel.changes, log: kernel.log)
        commands = ProgressCommands(places: places, sources: kernel.sources, marks: marks, changes: kernel.changes, clock: kernel.clock)
        kernel.ports.personFinding = places
        kernel.ports.places = serverPlaces
        kernel.ports.placeNotes = sending
        kernel.ports.shelves = places
        kernel.ports.preparing = silences
    }

    package var presses: any CommandStep { PlaceCommandStep(places) }

    package var profiles: Set<HubProfile> { [.books] }

    package func install(in commands: CommandTable) { self.commands.install(in: commands) }

    package func open(_ storage: any PlaceStorage) { places.open(storage) }

    package func open(_ finder: any SilenceFinding) { silences.open(finder) }

    package var hears: HubEvent.Kinds { [.sourcesChanged, .personArrived, .itemFinished, .personReplaced] }

    package func handle(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourcesChanged: round.tell("serverPlaces", held: true) { serverPlaces.considerAll() }
        case .personArrived: round.tell("serverPlaces") { serverPlaces.arrived() }
        case .itemFinished(let uri, let person): round.tell("places") { places.proposeNext(after: uri, to: person) }
        case .personReplaced(let person, let other): round.tell("places") { places.replace(person, by: other) }
        default: break
        }
    }

    /// The room observers. `silences` comes after `places`, since both change the room.
    package var roomObservers: [RoomObservers.Observer] {
        [
            .init("places", .changing, of: .playing) { [self] in places.roomChanged($0) },
            .init("silences", .changing) { [self] in silences.roomChanged($0) },
        ]
    }

    /// The parts to close. The last places are reported after the players have stopped.
    package var closing: [Closing] {
        [
            Closing("silences", .waiting { await self.silences.close() }),
            Closing("places", .waiting { await self.places.close() }),
            Closing("serverPlaces", .afterPlayers { await self.serverPlaces.close() }),
        ]
    }
}

extension FeatureName {
    static let books = FeatureName("books")
}
