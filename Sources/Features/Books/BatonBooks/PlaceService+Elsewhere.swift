/// Handles a person who listens to an item in two places. The room is asked whether it should pause, and its reports do not
/// count until that is answered.
import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

extension PlaceService {
    /// A question to a room about its current entry.
    struct Asked {
        var entry: EntryID
        var there: Elsewhere
    }

    /// Asks each room that plays the item for this person, except the one where that was noticed.
    func ask(_ there: Elsewhere, about uri: ItemURI, of person: Person) {
        // A private room of a person without a name stays unknown to other rooms.
        if person == .home, there.room.flatMap({ rooms[$0] })?.isPrivate == true { return }
        for live in rooms.all where live.room.id != there.room && live.isPlaying {
            guard let stretch = watched[live.room.id]?.watch.stretch, stretch.entry.uri == uri, stretch.person == person else { continue }
            watched[live.room.id]?.asked = Asked(entry: stretch.entry.id, there: there)
            showSoon(live)
        }
    }

    /// The notes that may be reported while the person is asked whether to go on where another device is: until the answer, only the
    /// beginning of playback. A pause, a stop and another entry are answers too.
    func asking(_ live: LiveRoom, _ one: Watched?, with notes: [PlaceWatch.Note], hadStretch: Bool) -> [PlaceWatch.Note] {
        let id = live.id
        for case .began(let stretch) in notes {
            ask(
                Elsewhere(device: stretch.roomName, positionMs: live.room.positionMs(at: clock.now), room: id), about: stretch.entry.uri,
                of: stretch.person)
        }
        // The stretch was too short to count as listening.
        if hadStretch, one?.watch.hasStretch != true, notes.isEmpty { withdraw(of: id) }
        guard let one, let asked = one.asked else { return notes }
        if one.watch.stretch?.entry.id == asked.entry, live.isPlaying { return notes.filter(\.isBeginning) }
        one.asked = nil
        showSoon(live)
        return notes
    }

    /// Withdraws the question about a room that does not play after all.
    private func withdraw(of room: RoomID) {
        for live in rooms.all where watched[live.room.id]?.asked?.there.room == room {
            watched[live.room.id]?.asked = nil
            showSoon(live)
        }
    }

    /// Publishes in the next turn of the loop, since this turn may be in the middle of another change.
    private func showSoon(_ live: LiveRoom) {
        _ = clock.after(.zero) { [weak self, weak live] in
            guard let self, let live, !live.isGone, live.room.elsewhere != watched[live.room.id]?.asked?.there else { return }
            let there = watched[live.room.id]?.asked?.there
            live.perform(changes.update(live) { room, _ in room.setElsewhere(there) })
            changes.publisher.tell()
        }
    }

    /// Lets this room go on: its reports count from here on, and other rooms are asked.
    func goOnHere(in live: LiveRoom) {
        let id = live.room.id
        guard watched[id]?.asked != nil else { return }
        watched[id]?.asked = nil
        watched[id]?.watch.startAnew()
        roomChanged(live)
        // This is written at once, so that it comes before the other room's report.
        guard let stretch = watched[id]?.watch.stretch else { return }
        add([.reached(stretch, positionMs: live.room.positionMs(at: clock.now), isAtEnd: false)])
    }
}
