import BatonCore
package import BatonKernel
package import BatonLibrary
import BatonProtocol
package import BatonSeams

/// The hub, made from parts that are passed in (clock and descriptors, journal, sources, players), so that the same code runs
/// in the daemon and in simulated time. It consists of the kernel, the features on it, and the entry for commands.
@Loop
package final class Hub {
    let kernel: Kernel
    let features: AllFeatures
    let commands: CommandProcessor
    /// The features with the kinds of events that each hears.
    private let hearing: [(kinds: HubEvent.Kinds, feature: any Feature)]
    /// The parts that hear of changes of rooms.
    let observers: RoomObservers
    /// The parts of the hub that dialects use.
    package let ports: DialectPorts

    /// Makes a hub. With a library it has marks, playlists and its own music from the start.
    package init(_ parts: HubParts, library: LibraryParts? = nil) throws(JournalFault) {
        kernel = try Kernel(parts)
        features = AllFeatures(kernel, parts)
        let profiles = HubProfiles(features.all.reduce(kernel.profiles) { $0.union($1.profiles) }.union([.watch]).subtracting(parts.lacks))
        kernel.information.profiles = profiles
        hearing = features.all.map { ($0.hears, $0) }
        observers = RoomObservers(kernel.roomObservers + features.all.flatMap(\.roomObservers))
        commands = CommandProcessor(
            rooms: kernel.rooms, changes: kernel.changes, players: kernel.players, people: kernel.people, guests: kernel.guests,
            limits: parts.limits, table: CommandTable(kernel, features, for: profiles))
        ports = DialectPorts(to: commands, on: kernel, features, parts)
        parts.deviceRegistry?.open(hub: parts.identity.id, kernel.dialects, kernel.events)
        kernel.events.observer = self
        if hold.isOn { hold.whenOver { [weak kernel] in kernel?.changes.refresh(nil, [.room]) } }
        try kernel.publishRooms(telling: observers)
        start(features.all)
        if let library { open(library) }
    }

    package var identity: HubIdentity { kernel.identity }
    package var hold: WorkHold { kernel.hold }
    var rooms: RoomList { kernel.rooms }
    package var deviceRegistry: DeviceRegistry? { kernel.deviceRegistry }
    package var users: UserRegistry? { kernel.users }

    /// Starts features. One that fails is listed in the hub's problems, and the others run.
    func start(_ features: [any Feature]) {
        for feature in features {
            do throws(FeatureFault) { try feature.start() } catch { kernel.note(error, of: feature.name) }
        }
    }
}

/// Events go to the features in order, between the kernel's own parts.
extension Hub: EventObserving {
    package func hear(_ event: HubEvent) { hear(event, noting: nil) }

    func hear(_ event: HubEvent, noting trace: EventTrace?) {
        let (kind, round) = (event.kind, EventRound(isHeld: hold.isOn, trace: trace))
        kernel.handle(event, round)
        for index in hearing.indices where hearing[index].kinds.contains(kind) { hearing[index].feature.handle(event, round) }
        kernel.finish(event, round)
    }
}

extension DialectPorts {
    fileprivate init(to door: any CommandDoor, on kernel: Kernel, _ features: AllFeatures, _ parts: HubParts) {
        let (library, listening) = (features.library.library, features.listening)
        self.init(
            identity: parts.identity, profiles: kernel.information.profiles, limits: parts.limits, reactor: parts.reactor, door: door,
            state: kernel.publisher.state,
            queues: kernel.rooms, attendance: kernel.people, choices: kernel.choices,
            media: MediaService(
                library: library, sources: kernel.sources, passes: kernel.media, clock: kernel.clock, encoding: listening.transcodes),
            uploads: features.servers.accounts, devices: parts.deviceRegistry, users: parts.users, guestVolume: parts.guestVolume,
            connections: { [dialects = kernel.dialects] in dialects.connections },
            connectionEnded: { [weak release = kernel.memoryRelease] in release?.note() },
            joinedHubs: { [weak joining = features.joining.joining] in joining?.hubs(of: $0) ?? [] }, streams: listening.streams)
    }
}
