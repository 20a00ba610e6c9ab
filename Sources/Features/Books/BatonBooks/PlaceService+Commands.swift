/// Places that commands and servers set, and the proposal of the next book.
import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

extension PlaceService {
    /// Adds the next book of the series in front of the person's next items. Without an answer from its source there is none.
    func proposeNext(after uri: ItemURI, to person: Person) {
        proposals.add { [weak self] in
            guard let self else { return }
            let askedMs = clock.wallMs()
            guard let row = try? await sources.following(uri) else { return }
            do throws(SourceFault) {
                try await queue.inTurn { [self] () async throws(SourceFault) in
                    try await write { storage throws(SourceFault) in
                        // A book that was begun or finished while its source was asked has left the shelf.
                        if let place = try storage.places(of: person, in: row.uri).current, place.atMs >= askedMs { return }
                        try storage.putUpNext(NewEntry(uri: row.uri, tags: row.tags), for: person)
                    }
                }
            } catch {
                log(.warning, "“\(row.tags.title)” could not be put up next: \(error.sentence)")
            }
        }
    }

    /// Looks after all earlier reports are stored, so that a person who has just paused finds that place.
    func lookInTurn<Answer: Sendable>(
        _ question: @escaping @Sendable (any PlaceStorage) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        // Only the wait is in the queue: further reports need not wait for the answer.
        try await queue.inTurn {}
        return try await look(question)
    }

    /// Changes a place, after all earlier reports of rooms. Most commands are about an item with a place, which is found and
    /// changed in one step on the disk; for others `item` asks the source.
    func change(
        _ uri: ItemURI, of person: Person, item: @escaping @Loop () async throws(SourceFault) -> NewEntry,
        by body: @escaping @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) async throws(SourceFault) -> StoredPlaces {
        let known = try await queue.inTurn { [self] () async throws(SourceFault) in
            let stored = try await write(known: uri, of: person, body)
            if let stored { await tell(stored, of: uri, to: person) }
            return stored
        }
        if let known { return known }
        let item = try await item()
        return try await queue.inTurn { [self] () async throws(SourceFault) in
            let stored = try await write(item, of: person, body)
            await tell(stored, of: item.uri, to: person)
            return stored
        }
    }

    private func tell(_ stored: StoredPlaces, of uri: ItemURI, to person: Person) async {
        guard stored.change == .moved, let place = stored.places.current else { return }
        // The state of a device that plays by itself is unknown.
        await serverPlaces?.tell(ServerReport(uri: uri, place: place, person: person, state: place.isFinished ? .stopped : .paused))
    }

    /// Stores a place that another device left at the item's server. The server has it already.
    func found(
        _ place: ServerPlace, in item: NewEntry, by sessions: ServerSessions, isAhead: Bool
    ) async throws(SourceFault) {
        let stored = try await queue.inTurn { [self] () async throws(SourceFault) in
            try await write(item, of: .home) { places, durationMs throws(Refusal) in
                let ms = place.isFinished ? durationMs ?? places.current?.positionMs ?? 0 : min(place.positionMs, durationMs ?? .max)
                let found = ItemPlace(
                    positionMs: ms, isFinished: place.isFinished, session: sessions.session(after: places.current, isAhead: isAhead),
                    device: sessions.device, atMs: place.atMs ?? sessions.atMs)
                return places.found(found, isAhead: isAhead)
            }
        }
        guard isAhead, stored.change == .moved, let there = stored.places.current else { return }
        ask(Elsewhere(device: there.device, positionMs: there.positionMs), about: item.uri, of: .home)
    }

    /// Begins a new listening session in this room, since a person has set the place.
    func startAnew(in room: RoomID) { watched[room]?.watch.startAnew() }
}
