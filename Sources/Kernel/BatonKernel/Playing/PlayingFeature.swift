import BatonCore
package import BatonSeams

/// Commands to rooms: for their players, queues, modes and people, and for the list of rooms.
@Loop
package final class PlayingFeature: Feature {
    package let name = FeatureName.playing
    /// The commands for players and queues, which other features use to start music.
    package let playback: PlaybackCommands
    let arranging: RoomCommands
    let presence: PresenceCommands

    package init(_ kernel: Kernel) {
        arranging = RoomCommands(
            rooms: kernel.rooms, arranger: kernel.arranger, outputs: kernel.outputs, search: kernel.search, ledger: kernel.ledger,
            clock: kernel.clock, events: kernel.events, limits: kernel.limits, rails: kernel.volume)
        playback = PlaybackCommands(
            rooms: kernel.rooms, changes: kernel.changes, arranging: arranging, items: kernel.items, ports: kernel.ports,
            settling: kernel.settling, guests: kernel.guests, limits: kernel.limits)
        presence = PresenceCommands(
            people: kernel.people, rooms: kernel.rooms, changes: kernel.changes, players: kernel.players, clock: kernel.clock)
    }

    package var profiles: Set<HubProfile> { [.rooms, .sound, .history] }

    package func install(in commands: CommandTable) {
        playback.install(in: commands)
        arranging.install(in: commands)
        presence.install(in: commands)
    }

    /// Hears that people leave, since fewer votes may then be enough for a skip.
    package var hears: HubEvent.Kinds { .personLeft }

    package func handle(_ event: HubEvent, _ round: EventRound) {
        if case .personLeft(let room) = event { round.tell("presence") { presence.left(room) } }
    }
}

extension FeatureName {
    static let playing = FeatureName("playing")
}
