/// Places that commands and servers set, and what is put up next when an item was finished.
package import BatonCore
import BatonKernel
import BatonProtocol
package import BatonSeams

extension PlaceService {
    /// Puts the next book of the series in front of what the person is to hear next. Where its source cannot say which that is, there is
    /// none.
    func proposeNext(after uri: ItemURI, to person: Person) {
        queue.add { [weak self] in
            guard let self, let row = try? await sources.following(uri) else { return }
            do throws(SourceFault) {
                try await write { keeper throws(SourceFault) in
                    try keeper.putUpNext(NewEntry(uri: row.uri, tags: row.tags), for: person)
                }
            } catch {
                log(.warning, "“\(row.tags.title)” could not be put up next: \(error.sentence)")
            }
        }
    }

    /// Behind all that rooms have reported by now. Most presses are about an item in which the person has been, which is found and changed
    /// in one turn on the disk; of another one `item` asks the source.
    package func change(
        _ uri: ItemURI, of person: Person, _ item: @escaping @Loop () async throws(SourceFault) -> NewEntry,
        _ body: @escaping @Sendable (inout Places, _ durationMs: Int?) throws(Refusal) -> Places.Change
    ) async throws(SourceFault) -> Kept {
        let known = try await queue.inTurn { [self] () async throws(SourceFault) in
            let kept = try await write(known: uri, of: person, body)
            if let kept { await tell(kept, uri, person) }
            return kept
        }
        if let known { return known }
        let item = try await item()
        return try await queue.inTurn { [self] () async throws(SourceFault) in
            let kept = try await write(item, of: person, body)
            await tell(kept, item.uri, person)
            return kept
        }
    }

    private func tell(_ kept: Kept, _ uri: ItemURI, _ person: Person) async {
        guard kept.change == .moved, let place = kept.places.current else { return }
        // What a device that plays by itself does meanwhile is not known.
        await serverPlaces?.tell(Told(uri: uri, place: place, person: person, state: place.isFinished ? .stopped : .paused))
    }

    /// Another device of the home left this place at the item's server, which knows it.
    package func found(
        _ place: ServerPlace, in item: NewEntry, by sessions: ServerSessions, isAhead: Bool
    ) async throws(SourceFault) {
        let kept = try await queue.inTurn { [self] () async throws(SourceFault) in
            try await write(item, of: .home) { places, durationMs throws(Refusal) in
                let ms = place.isFinished ? durationMs ?? places.current?.positionMs ?? 0 : min(place.positionMs, durationMs ?? .max)
                let found = ItemPlace(
                    positionMs: ms, isFinished: place.isFinished, session: sessions.session(after: places.current, isAhead: isAhead),
                    device: sessions.device, atMs: place.atMs ?? sessions.atMs)
                return places.found(found, isAhead: isAhead)
            }
        }
        guard isAhead, kept.change == .moved, let there = kept.places.current else { return }
        ask(Elsewhere(device: there.device, positionMs: there.positionMs), about: item.uri, of: .home)
    }

    /// The place was set by hand: what this room plays of the item starts from there.
    func startAnew(in room: RoomID) { watched[room]?.watch.startAnew() }
}
