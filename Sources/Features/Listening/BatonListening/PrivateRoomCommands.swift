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
    private func play(_ command: Commands.ListenOnly, _ accepted: AcceptedCommand) -> Handling {
        .working(for: accepted) { () async throws(ProtocolFault) in
            let found = try await items.entries(of: [command.uri], from: .uri, for: accepted, most: queueLength)
            if let known = try StoredAnswers(ledger: changes.ledger).answer(to: accepted) { return known }
            if accepted.live.isPrivate, !accepted.live.isGone {
                return try begin(with: found, by: command, in: accepted.live, for: accepted)
            }
            let live = try privateRooms.make(for: accepted.identity)
            do throws(ProtocolFault) { return try begin(with: found, by: command, in: live, for: accepted) } catch {
                privateRooms.end(live)
                throw error
            }
        }
    }

    /// Starts with the first device that plays along, so that it misses nothing.
    private func begin(
        with items: [NewEntry], by command: Commands.ListenOnly, in live: LiveRoom, for accepted: AcceptedCommand
    ) throws(ProtocolFault) -> Answer {
        ports.personFinding?.pressed(.play, by: accepted.identity.person, in: live)
        let halt = accepted.laterHalt(in: live)
        let waits = !accepted.live.isPrivate
        return try changes.change(live, for: accepted.id, under: accepted.key, answering: CreatedRoom(live.room.id)) {
            room, numbers, now throws(Refusal) in
            var outcome = try room.apply(
                .replace(base: nil, with: items, start: command.index, positionMs: command.positionMs, play: true), before: halt,
                by: accepted.identity.author, at: now, numbers: &numbers)
            if waits { outcome.add(try room.pauseEmpty(at: now, numbers: &numbers)) }
            return outcome
        }
    }
}
