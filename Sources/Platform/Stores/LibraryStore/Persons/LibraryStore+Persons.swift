/// Data of single users, through the same connections as the rest of the library. The owners of playlists are also held in memory. They are
/// noted there before the transaction ends, so that a private list is never mistaken for one of the hub.
package import BatonCore
package import BatonSeams

extension LibraryStore: PersonStorage {
    package func setFavourite(_ item: NewEntry, _ isFavourite: Bool, of person: Person, atMs: Milliseconds) throws(SourceFault) -> Bool {
        try change { library throws(SourceFault) in try library.setFavourite(item, isFavourite, of: person, atMs: atMs) }
    }

    package func setStars(_ item: NewEntry, _ stars: Int, of person: Person, atMs: Milliseconds) throws(SourceFault) -> Bool {
        try change { library throws(SourceFault) in try library.setStars(item, stars, of: person) }
    }

    package func notePlayed(_ item: NewEntry, by person: Person, room: RoomID, atMs: Milliseconds) throws(SourceFault) {
        try change { library throws(SourceFault) in try library.notePlayed(item, by: person, room: room, atMs: atMs) }
    }

    package func marks(of uris: [ItemURI], by person: Person) throws(SourceFault) -> [ItemURI: ItemMark] {
        try look { library throws(SourceFault) in try library.marks(of: uris, by: person) }
    }

    package func history(of person: Person, _ window: PageWindow) throws(SourceFault) -> [PlayedRow] {
        try look { library throws(SourceFault) in try library.history(of: person, window) }
    }

    package func marked(
        _ shelf: OwnShelf, by person: Person, sortedBy sort: BrowseQuery.Sort?, _ window: PageWindow
    ) throws(SourceFault) -> ItemPage {
        try look { library throws(SourceFault) in try library.marked(shelf, by: person, sortedBy: sort, window) }
    }

    package func expand(_ shelf: OwnShelf, by person: Person, most: Int) throws(SourceFault) -> [NewEntry] {
        try look { library throws(SourceFault) in try library.expand(shelf, by: person, most: most) }
    }

    package func rows(of mix: LibraryMix, for person: Person) throws(SourceFault) -> [ItemRow] {
        try look { library throws(SourceFault) in try library.rows(of: mix, for: person) }
    }

    package func expand(_ mix: LibraryMix, by person: Person, most: Int) throws(SourceFault) -> [NewEntry] {
        try look { library throws(SourceFault) in try library.expand(mix, by: person, most: most) }
    }

    package func markedByAny(_ uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI> {
        try look { library throws(SourceFault) in try library.markedByAny(uris) }
    }

    // MARK: - Playlists

    package func createPlaylist(
        _ name: String, _ entries: [NewEntry], rule: SmartRule?, access: PlaylistAccess, once: CommandKey?, atMs: Milliseconds
    ) throws(SourceFault) -> PlaylistOutcome {
        try change { library throws(SourceFault) in
            let outcome = try library.once(once, at: answerClock.note) { () throws(SourceFault) in
                let made = try library.createPlaylist(name, entries, rule: rule, at: moment(atMs))
                try library.setAccess(access, of: made.id)
                return made
            }
            if !outcome.isDup { accesses.withLock { $0[outcome.id] = access } }
            return outcome
        }
    }

    package func playlists(_ window: PageWindow, for person: Person) throws(SourceFault) -> [PlaylistRow] {
        try look { library throws(SourceFault) in try library.playlists(window, for: person) }
    }

    package func playlist(_ id: PlaylistID, from: Int, count: Int, for person: Person) throws(SourceFault) -> PlaylistPage {
        try look { library throws(SourceFault) in try library.page(of: id, from: from, count: count, for: person) }
    }

    package func expandPlaylist(_ id: PlaylistID, for person: Person) throws(SourceFault) -> [NewEntry] {
        try look { library throws(SourceFault) in try library.expandPlaylist(id, for: person) }
    }

    package func setAccess(_ access: PlaylistAccess?, of list: PlaylistID) throws(SourceFault) -> Bool {
        let before = self.access(of: list)
        guard before != access else { return false }
        do throws(SourceFault) {
            try change { library throws(SourceFault) in
                try library.setAccess(access, of: list)
                accesses.withLock { $0[list] = access }
            }
        } catch {
            accesses.withLock { $0[list] = before }
            throw error
        }
        return true
    }

    package func access(of list: PlaylistID) -> PlaylistAccess? { accesses.withLock { $0[list] } }

    package var hasOwnedLists: Bool { accesses.withLock { !$0.isEmpty } }

    // MARK: - As a whole

    package func rows(of person: Person) throws(SourceFault) -> [PersonRow] {
        try look { library throws(SourceFault) in try library.rows(of: person) }
    }

    package func give(_ person: Person, to other: Person) throws(SourceFault) {
        try change { library throws(SourceFault) in
            try library.give(person, to: other)
            try noteAccesses(library)
        }
    }

    package func forget(_ person: Person) throws(SourceFault) {
        try change { library throws(SourceFault) in
            try library.forget(person)
            try noteAccesses(library)
        }
    }

    private func noteAccesses(_ library: LibraryDatabase) throws(SourceFault) {
        let found = try library.playlistAccess()
        accesses.withLock { $0 = found }
    }
}
