import BatonCore
package import BatonKernel
import BatonProtocol
package import BatonSeams

/// Accounts at servers: notes for servers, mirrors of their rows, queues that they save, and the connections by which they
/// push news.
@Loop
package final class ServersFeature: Feature {
    package let name = FeatureName.servers
    package let delivery: OutboxDelivery
    let mirrorPasses: MirrorPasses
    let mirroredLists: MirroredLists
    package let accounts: SourceAccounts
    let savedQueues: SavedQueues
    package let lists: ServerListCommands
    let queueSync: QueueSync
    private let listening: SourceListening
    private let commands: SourceCommands
    private let queues: SavedQueueCommands

    package init(_ kernel: Kernel, playback: PlaybackCommands) {
        delivery = OutboxDelivery(sources: kernel.sources, ports: kernel.ports, reactor: kernel.clock.reactor, log: kernel.log)
        mirrorPasses = MirrorPasses(sources: kernel.sources, clock: kernel.clock, log: kernel.log)
        mirroredLists = MirroredLists(sources: kernel.sources, passes: mirrorPasses, log: kernel.log)
        accounts = SourceAccounts(
            sources: kernel.sources, delivery: delivery, mirrorPasses: mirrorPasses, publisher: kernel.publisher, clock: kernel.clock)
        savedQueues = SavedQueues(
            sources: kernel.sources, delivery: delivery, accounts: accounts, dialects: kernel.dialects, clock: kernel.clock, log: kernel.log
        )
        lists = ServerListCommands(
            sources: kernel.sources, items: kernel.items, mirrored: mirroredLists, changes: kernel.changes, limits: kernel.limits)
        queueSync = QueueSync(rooms: kernel.rooms, sources: kernel.sources, delivery: delivery, clock: kernel.clock, log: kernel.log)
        listening = SourceListening(
            sources: kernel.sources, savedQueues: savedQueues, mirrorPasses: mirrorPasses, ports: kernel.ports, clock: kernel.clock,
            log: kernel.log)
        commands = SourceCommands(
            accounts: accounts, delivery: delivery, savedQueues: savedQueues, mirrorPasses: mirrorPasses, ledger: kernel.ledger)
        queues = SavedQueueCommands(
            sources: kernel.sources, playback: playback, savedQueues: savedQueues, ledger: kernel.ledger, clock: kernel.clock)
    }

    package var profiles: Set<HubProfile> { [.servers] }

    package func install(in commands: CommandTable) {
        self.commands.install(in: commands)
        queues.install(in: commands)
    }

    package func open(_ outbox: any Outbox, _ mirror: any SourceMirror) {
        delivery.open(outbox)
        mirrorPasses.open(mirror)
        mirroredLists.open(mirror)
    }

    package var hears: HubEvent.Kinds { [.sourcesChanged, .sourceChanged, .sourceForgotten, .personArrived] }

    package func handle(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourcesChanged:
            round.tell("listening", held: true) { listening.considerAll() }
            round.tell("delivery", held: true) { delivery.wakeAll() }
            round.tell("mirrorPasses", held: true) { mirrorPasses.considerAll() }
            round.tell("savedQueues", held: true) { savedQueues.considerAll() }
            round.tell("queueSync", held: true) { queueSync.considerAll() }
            round.tell("accounts") { accounts.show() }
        case .sourceChanged(let source):
            round.tell("listening", held: true) { listening.restart(source) }
            round.tell("queueSync", held: true) { queueSync.considerAll() }
            round.tell("delivery", held: true) { delivery.wake(source) }
            round.tell("mirrorPasses", held: true) { mirrorPasses.consider(source) }
        case .sourceForgotten(let source): round.tell("savedQueues") { savedQueues.forget(source) }
        case .personArrived: round.tell("savedQueues") { savedQueues.arrived() }
        default: break
        }
    }

    package var roomObservers: [RoomObservers.Observer] {
        [
            .init("queueSync", .telling, at: .change) { [self] in queueSync.roomChanged($0) },
            .init("queueSync", .telling, at: .end) { [self] in queueSync.roomEnded($0) },
        ]
    }

    /// The parts to close. They close after the players, which produce notes until they stop.
    package var closing: [Closing] {
        [
            Closing("serverLists", .afterPlayers { await self.lists.close() }),
            Closing("mirroredLists", .afterPlayers { await self.mirroredLists.close() }),
            Closing("mirrorPasses", .afterPlayers { await self.mirrorPasses.close() }),
            Closing("queueSync", .afterPlayers { await self.queueSync.close() }),
            Closing("delivery", .afterPlayers { await self.delivery.close() }),
            Closing("listening", .afterPlayers { await self.listening.close() }),
            Closing("savedQueues", .afterPlayers { await self.savedQueues.close() }),
        ]
    }

    /// The sources by kind and not by name, since a name may be that of a person.
    package var metricFamilies: [MetricFamily] {
        var shown: [SourcesSection.Source] = []
        if case .sources(let section)? = accounts.publisher.state.posted(.sources, of: nil)?.value { shown = section.sources }
        var states: [String: (kind: String, state: String, count: Int)] = [:]
        for source in shown {
            states[source.kind + " " + source.state.name, default: (source.kind, source.state.name, 0)].count += 1
        }
        return [
            MetricFamily(
                "sources", help: "Accounts at servers, by kind and state.",
                .gauge(
                    states.values.map { .init(Double($0.count), [.init("kind", $0.kind), .init("state", $0.state)]) })),
            .gauge(
                "outbox_notes", help: "What was done here and servers do not know yet.",
                Double(shown.reduce(0) { $0 + $1.pending })),
            .gauge(
                "outbox_refused", help: "Of that, what servers refuse for good.", Double(shown.reduce(0) { $0 + $1.refused })),
        ]
    }
}

extension FeatureName {
    package static let servers = FeatureName("servers")
}
