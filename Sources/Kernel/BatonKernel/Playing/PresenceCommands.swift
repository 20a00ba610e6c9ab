import BatonCore
import BatonProtocol
package import BatonSeams

/// Commands about the people in a room: votes, and sending a person out.
@Loop
package final class PresenceCommands {
    private let people: People
    private let rooms: RoomList
    private let changes: RoomChanges
    private let players: RoomPlayers
    private let clock: HubClock
    /// Rooms whose votes must be counted again.
    private var leftRooms: [RoomID] = []

    init(people: People, rooms: RoomList, changes: RoomChanges, players: RoomPlayers, clock: HubClock) {
        self.people = people
        self.rooms = rooms
        self.changes = changes
        self.players = players
        self.clock = clock
    }

    /// Counts votes in the next turn of the loop, once for all people who leave together, since a closing connection is still
    /// in its lists.
    func left(_ room: RoomID) {
        guard !leftRooms.contains(room) else { return }
        leftRooms.append(room)
        guard leftRooms.count == 1 else { return }
        _ = clock.after(.zero) { [weak self] in
            guard let self else { return }
            let rooms = leftRooms
            leftRooms = []
            for room in rooms { countVotes(in: room) }
        }
    }

    func install(in commands: CommandTable) {
        commands.answer(Commands.VoteSkip.self, vote)
        commands.answer(Commands.VoteRule.self) { [self] command, accepted throws(ProtocolFault) in
            try apply(accepted) { room, _, _ in room.setVoteShare(command.share) }
        }
        commands.answer(Commands.PeopleKick.self, kick)
    }

    private func vote(_ command: Commands.VoteSkip, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        let hearing = people.voters(in: accepted.live.room.id)
        return try apply(accepted) { room, numbers, now throws(Refusal) in
            try room.vote(
                for: command.entry, by: accepted.identity.voter, of: hearing, named: accepted.identity.author, at: now, numbers: &numbers)
        }
    }

    private func kick(_ command: Commands.PeopleKick, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        let (who, minutes) = (command.who, command.minutes)
        let room = accepted.live.room.id
        guard let person = people.person(who, in: room) else {
            throw ProtocolFault(.notFound, "There is no person in this room who is called “\(who)”.", at: "/p/who")
        }
        guard person.role < .admin else { throw ProtocolFault(.forbidden, "An admin cannot be sent out.", at: "/p/who") }
        guard person.voter != accepted.identity.voter else {
            throw ProtocolFault(.forbidden, "You cannot send yourself out.", at: "/p/who")
        }
        let answer = try apply(accepted) { room, _, now in room.sendOut(person.voter, minutes: minutes, at: now) }
        // This runs in the next turn of the loop, so that the answer is sent first.
        _ = clock.after(.zero) { [weak people] in
            people?.sendOut(person.voter, from: room, People.refusal(Milliseconds(minutes) * 60_000))
        }
        return answer
    }

    private func apply(
        _ accepted: AcceptedCommand, _ decide: (inout Room, inout EntryNumbers, Moment) throws(Refusal) -> Outcome
    ) throws(ProtocolFault) -> Answer {
        let answer = try changes.answer(accepted, decide)
        people.votesChanged()
        return answer
    }

    /// Counts the votes in a room that a person has left, since fewer may be enough now.
    private func countVotes(in id: RoomID) {
        guard let live = rooms[id], live.room.presence.votes(for: live.room.queue.current) > 0 else { return }
        let hearing = people.voters(in: id)
        guard hearing > 0 else { return }
        let effect = try? changes.change(live) { room, numbers, now throws(Refusal) in
            try room.countVotes(of: hearing, at: now, numbers: &numbers)
        }
        guard let effect, !effect.orders.isEmpty else { return }
        players.perform(effect.orders, in: id)
        changes.publisher.tell()
    }
}
