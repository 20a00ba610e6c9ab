package import BatonCore
import BatonKernel
package import BatonSeams

/// The data of single users on items: marks, plays, and playlists of their own.
extension LibraryService {
    /// Changes personal data without a time limit, since the result is the answer to a command.
    func changePersons<Answer: Sendable>(
        _ change: @escaping @Sendable (any PersonStorage) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let persons = try presentPersons()
        return try await sources.inBlockingPool { () async throws(SourceFault) in try change(persons) }
    }

    func lookAtPersons<Answer: Sendable>(
        _ question: @escaping @Sendable (any PersonStorage) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let persons = try presentPersons()
        return try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in try question(persons) }
    }

    private func presentPersons() throws(SourceFault) -> any PersonStorage {
        guard let persons else { throw SourceFault(.unsupported, "This hub keeps nothing for single persons.") }
        return persons
    }

    /// Adds the person's marks to rows. If they cannot be read there are none, since marks of others are never shown.
    func markOwn(_ rows: inout [ItemRow], of person: Person) async {
        let uris = rows.map(\.uri)
        let marks = (try? await lookAtPersons { persons throws(SourceFault) in try persons.marks(of: uris, by: person) }) ?? [:]
        for index in rows.indices { rows[index].mark = marks[rows[index].uri] ?? ItemMark() }
    }

    /// Sets a user's mark, which is not sent to servers, since their accounts belong to the hub. False when nothing changed.
    func markOwn(_ item: NewEntry, _ note: WriteBack, of person: Person, atMs: Milliseconds) async throws(SourceFault) -> Bool {
        try await changePersons { persons throws(SourceFault) in
            switch note {
            case .stars(_, let stars): try persons.setStars(item, stars, of: person, atMs: atMs)
            case .favourite(_, let isFavourite): try persons.setFavourite(item, isFavourite, of: person, atMs: atMs)
            default: false
            }
        }
    }

    /// Notes a user's play, which is not sent to servers.
    func notePlayed(_ item: NewEntry, by person: Person, in room: RoomID, atMs: Milliseconds) {
        backgroundQueue.add { [weak self] in
            guard let self, let persons = self.persons else { return }
            do throws(SourceFault) {
                try await self.sources.limited(Sources.Limit.background) { () async throws(SourceFault) in
                    try persons.notePlayed(item, by: person, room: room, atMs: atMs)
                }
                self.changed()
            } catch {
                self.report("That something was played could not be noted: \(error.sentence)")
            }
        }
    }

    // MARK: Playlists

    /// The rows without playlists that this person may not see.
    func visible(_ rows: [ItemRow], to person: Person) -> [ItemRow] {
        guard let persons, persons.hasOwnedLists else { return rows }
        return rows.filter { isVisible($0.uri, to: person) }
    }

    package func isVisible(_ uri: ItemURI, to person: Person) -> Bool {
        PlaylistID(uri).flatMap { persons?.access(of: $0) }?.isReadable(by: person) ?? true
    }
}

extension LibraryService: PersonItems {
    package func entries(of uri: ItemURI, for person: Person, most: Int) async throws(SourceFault) -> [NewEntry]? {
        guard persons != nil else { return nil }
        if let shelf = OwnShelf(uri) {
            return try await lookAtPersons { persons throws(SourceFault) in try persons.expand(shelf, by: person, most: most + 1) }
        }
        if let mix = LibraryMix(uri) {
            return try await lookAtPersons { persons throws(SourceFault) in try persons.expand(mix, by: person, most: most + 1) }
        }
        guard let list = PlaylistID(uri) else { return nil }
        return try await lookAtPersons { persons throws(SourceFault) in try persons.expandPlaylist(list, for: person) }
    }
}

/// Marks, plays and playlists of a person, and the places in the same store.
extension LibraryService: PersonRowStorage {
    package func rows(of person: Person) async throws(SourceFault) -> [PersonRow] {
        guard persons != nil else { return [] }
        return try await lookAtPersons { storage throws(SourceFault) in try storage.rows(of: person) }
    }

    package func give(_ person: Person, to user: Person) async throws(SourceFault) {
        guard persons != nil else { return }
        try await changePersons { storage throws(SourceFault) in try storage.give(person, to: user) }
        hasReplaced(person, by: user)
    }

    package func forget(_ person: Person) async throws(SourceFault) {
        guard persons != nil else { return }
        try await changePersons { storage throws(SourceFault) in try storage.forget(person) }
        hasReplaced(person, by: .home)
    }

    private func hasReplaced(_ person: Person, by other: Person) {
        changed()
        sources.events.send(.personReplaced(person, by: other))
    }
}

extension PersonStorage {
    /// The page of the lists that this person may see.
    func visiblePlaylists(_ window: PageWindow, to person: Person) throws(SourceFault) -> [PlaylistRow] {
        var rows: [PlaylistRow] = []
        var from = 0
        while rows.count < window.offset + window.limit {
            let some = try playlists(PageWindow(from: from, limit: 100), for: person)
            rows += some.filter { access(of: $0.id)?.isReadable(by: person) ?? true }
            from += some.count
            if some.count < 100 { break }
        }
        return window.rows(of: rows)
    }
}
