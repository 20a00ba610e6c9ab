/// What a room plays is listened to elsewhere too, by the same person: the room is asked whether it is to pause, and its reports do not
/// count before that is answered.
package import BatonCore
package import BatonKernel
import BatonProtocol
import BatonSeams

extension PlaceService {
    /// A question to a room. It is about one entry, and ends with it.
    package struct Asked {
        var entry: EntryID
        package var there: Elsewhere
    }

    /// Asks each room that plays the item for this person, but for the one in which that is noticed.
    func ask(_ there: Elsewhere, about uri: ItemURI, of person: Person) {
        // What a person without a name listens to alone is for no other room to know.
        if person == .home, there.room.flatMap({ rooms[$0] })?.isPrivate == true { return }
        for live in rooms.all where live.room.id != there.room && live.isPlaying {
            guard let stretch = watched[live.room.id]?.watch.stretch, stretch.entry.uri == uri, stretch.person == person else { continue }
            watched[live.room.id]?.asked = Asked(entry: stretch.entry.id, there: there)
            showSoon(live)
        }
    }

    /// What of its notes a room may report. A pause, a stop and another entry are answers, and so they count.
    package func asking(_ live: LiveRoom, with notes: [PlaceWatch.Note], hadStretch: Bool) -> [PlaceWatch.Note] {
        let id = live.room.id
        for case .began(let stretch) in notes {
            ask(
                Elsewhere(device: stretch.roomName, positionMs: live.room.positionMs(at: clock.now), room: id), about: stretch.entry.uri,
                of: stretch.person)
        }
        // It was too short to be listening.
        if hadStretch, watched[id]?.watch.stretch == nil, notes.isEmpty { withdraw(of: id) }
        guard let asked = watched[id]?.asked else { return notes }
        if watched[id]?.watch.stretch?.entry.id == asked.entry, live.isPlaying { return notes.filter(\.isBeginning) }
        watched[id]?.asked = nil
        showSoon(live)
        return notes
    }

    /// That room plays no more after all, so its question is taken back.
    private func withdraw(of room: RoomID) {
        for live in rooms.all where watched[live.room.id]?.asked?.there.room == room {
            watched[live.room.id]?.asked = nil
            showSoon(live)
        }
    }

    /// In the next turn of the loop, since this one may be in the middle of another change.
    private func showSoon(_ live: LiveRoom) {
        _ = clock.after(.zero) { [weak self, weak live] in
            guard let self, let live, !live.isGone, live.room.elsewhere != watched[live.room.id]?.asked?.there else { return }
            let there = watched[live.room.id]?.asked?.there
            live.perform(changes.update(live) { room, _ in room.setElsewhere(there) })
            changes.publisher.tell()
        }
    }

    /// A person says that this room goes on: what it plays counts from here on, and other rooms are asked.
    func goOnHere(in live: LiveRoom) {
        let id = live.room.id
        guard watched[id]?.asked != nil else { return }
        watched[id]?.asked = nil
        watched[id]?.watch.startAnew()
        roomChanged(live)
        // At once, so that it is the place before the other one reports.
        guard let stretch = watched[id]?.watch.stretch else { return }
        add([.reached(stretch, positionMs: live.room.positionMs(at: clock.now), isAtEnd: false)])
    }
}
