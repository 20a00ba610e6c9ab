/// Favourites, stars and plays, through the same connections as the rest of the library.
package import BatonCore
package import BatonSeams

extension LibraryStore: UserMarks {
    package func setFavourite(_ item: NewEntry, _ isFavourite: Bool, atMs: Milliseconds) throws(SourceFault) -> Bool {
        try change { library throws(SourceFault) in try library.setFavourite(item, isFavourite, atMs: atMs) }
    }

    package func setStars(_ item: NewEntry, _ stars: Int, atMs: Milliseconds) throws(SourceFault) -> Bool {
        try change { library throws(SourceFault) in try library.setStars(item, stars, atMs: atMs) }
    }

    package func notePlayed(_ item: NewEntry, room: RoomID, atMs: Milliseconds) throws(SourceFault) {
        try change { library throws(SourceFault) in try library.notePlayed(item, room: room, atMs: atMs) }
    }

    package func marks(of uris: [ItemURI]) throws(SourceFault) -> [ItemURI: ItemMark] {
        try look { library throws(SourceFault) in try library.marks(of: uris) }
    }

    package func history(_ window: PageWindow) throws(SourceFault) -> [PlayedRow] {
        try look { library throws(SourceFault) in try library.history(of: .home, window) }
    }

    package func playlists(_ window: PageWindow) throws(SourceFault) -> [PlaylistRow] {
        try look { library throws(SourceFault) in try library.playlists(window) }
    }

    package func playlist(_ id: PlaylistID, from: Int, count: Int) throws(SourceFault) -> PlaylistPage {
        try look { library throws(SourceFault) in try library.page(of: id, from: from, count: count) }
    }

    package func createPlaylist(_ name: String, _ entries: [NewEntry], rule: SmartRule?, once: CommandKey?, atMs: Milliseconds)
        throws(SourceFault) -> PlaylistOutcome
    {
        try change { library throws(SourceFault) in
            try library.once(once, at: answerClock.note) { () throws(SourceFault) in
                try library.createPlaylist(name, entries, rule: rule, at: moment(atMs))
            }
        }
    }

    package func editPlaylist(_ id: PlaylistID, base: Int?, _ edits: [PlaylistEdit], once: CommandKey?, atMs: Milliseconds)
        throws(SourceFault) -> PlaylistOutcome
    {
        try change { library throws(SourceFault) in
            try library.once(once, at: answerClock.note) { () throws(SourceFault) in
                try library.editPlaylist(id, base: base, edits, at: moment(atMs))
            }
        }
    }

    func moment(_ wallMs: Milliseconds) -> Moment { Moment(us: 0, wallMs: wallMs, steadyMs: answerClock.nowMs) }

    package func deletePlaylist(_ id: PlaylistID, once: CommandKey?) throws(SourceFault) -> PlaylistOutcome {
        try change { library throws(SourceFault) in
            try library.once(once, at: answerClock.note) { () throws(SourceFault) in try library.deletePlaylist(id) }
        }
    }

    package func restorePlaylist(_ id: PlaylistID, once: CommandKey?) throws(SourceFault) -> PlaylistOutcome {
        try change { library throws(SourceFault) in
            try library.once(once, at: answerClock.note) { () throws(SourceFault) in try library.restorePlaylist(id) }
        }
    }

    package func answered(_ once: CommandKey) throws(SourceFault) -> PlaylistOutcome? {
        try look { library throws(SourceFault) in try library.answered(once, atMs: answerClock.nowMs) }
    }

    package func expandPlaylist(_ id: PlaylistID) throws(SourceFault) -> [NewEntry] {
        try look { library throws(SourceFault) in try library.expandPlaylist(id) }
    }
}
