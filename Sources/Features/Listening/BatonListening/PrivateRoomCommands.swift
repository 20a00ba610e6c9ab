import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The command `listen.only`, which plays an item in a private room of the sender, for a device that plays along there.
@Loop
struct PrivateRoomCommands {
    let privateRooms: PrivateRooms
    let changes: RoomChanges
    let items: ItemExpansion
    let ports: Ports
    let queueLength: Int

    func install(in commands: CommandTable) { commands.on(Commands.ListenOnly.self, play) }

    /// Plays in the person's private room, if the command came from it, or in a new one.
    private func play(_ command: Commands.ListenOnly, _ visit: Visit) -> Handling {
        .working(for: visit) { () async throws(ProtocolFault) in
            let found = try await items.entries(of: [command.uri], for: visit, most: queueLength)
            if let known = try StoredAnswers(ledger: changes.ledger).answer(to: visit) { return known }
            if visit.live.isPrivate, !visit.live.isGone { return try begin(with: found, by: command, in: visit.live, for: visit) }
            let live = try privateRooms.make(for: visit.identity)
            do throws(ProtocolFault) { return try begin(with: found, by: command, in: live, for: visit) } catch {
                privateRooms.end(live)
                throw error
            }
        }
    }

    /// Starts with the first device that plays along, so that it misses nothing.
    private func begin(
        with items: [NewEntry], by command: Commands.ListenOnly, in live: LiveRoom, for visit: Visit
    ) throws(ProtocolFault) -> Answer {
        ports.personFinding?.pressed(.play, by: visit.identity.person, in: live)
        let waits = !visit.live.isPrivate
        return try changes.change(live, for: visit.id, under: visit.key, answering: CreatedRoom(live.room.id)) {
            room, numbers, now throws(Refusal) in
            var outcome = try room.apply(
                .replace(base: nil, with: items, start: command.index, positionMs: command.positionMs, play: true),
                by: visit.identity.author, at: now, numbers: &numbers)
            if waits { outcome.add(try room.pauseEmpty(at: now, numbers: &numbers)) }
            return outcome
        }
    }
}
