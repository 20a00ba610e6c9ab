/// The store of data of single persons. It blocks on the disk, and is never called on the loop, unless a function says so.
package import BatonCore

/// Stores marks, plays and playlists of single persons, beside those of the hub in `UserMarks`.
package protocol PersonStorage: Sendable {
    // MARK: Marks

    /// Returns false when nothing changes.
    func setFavourite(_ item: NewEntry, _ isFavourite: Bool, of person: Person, atMs: Milliseconds) throws(SourceFault) -> Bool
    /// Rates an item from 1 to 5, or removes the rating with 0. Returns false when nothing changes.
    func setStars(_ item: NewEntry, _ stars: Int, of person: Person, atMs: Milliseconds) throws(SourceFault) -> Bool
    /// Counts a play of an item that was heard long enough.
    func notePlayed(_ item: NewEntry, by person: Person, room: RoomID, atMs: Milliseconds) throws(SourceFault)
    /// The marks of those items that have any.
    func marks(of uris: [ItemURI], by person: Person) throws(SourceFault) -> [ItemURI: ItemMark]
    /// Played items, newest first.
    func history(of person: Person, _ window: PageWindow) throws(SourceFault) -> [PlayedRow]
    /// The items of one of the person's own shelves, sorted as asked or as the shelf is.
    func marked(
        _ shelf: OwnShelf, by person: Person, sortedBy sort: BrowseQuery.Sort?, _ window: PageWindow
    ) throws(SourceFault) -> ItemPage
    /// The tracks that play when such a shelf is played: its items, and those in its albums and lists.
    func expand(_ shelf: OwnShelf, by person: Person, most: Int) throws(SourceFault) -> [NewEntry]
    /// All items of a mix, in an order that stays the same for a day.
    func rows(of mix: LibraryMix, for person: Person) throws(SourceFault) -> [ItemRow]
    /// The tracks that play when such a mix is played.
    func expand(_ mix: LibraryMix, by person: Person, most: Int) throws(SourceFault) -> [NewEntry]
    /// The items among `uris` that any person has as a favourite, or has rated.
    func markedByAny(_ uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI>

    // MARK: Playlists

    /// Creates a playlist like `UserMarks.createPlaylist`, with an owner.
    func createPlaylist(
        _ name: String, _ entries: [NewEntry], rule: SmartRule?, access: PlaylistAccess, once: CommandKey?, atMs: Milliseconds
    ) throws(SourceFault) -> PlaylistOutcome
    /// Playlists as in `UserMarks`; smart ones use the marks of this person.
    func playlists(_ window: PageWindow, for person: Person) throws(SourceFault) -> [PlaylistRow]
    func playlist(_ id: PlaylistID, from: Int, count: Int, for person: Person) throws(SourceFault) -> PlaylistPage
    func expandPlaylist(_ id: PlaylistID, for person: Person) throws(SourceFault) -> [NewEntry]
    /// Sets the access of a list; without one it belongs to the hub. Returns false when nothing changes.
    func setAccess(_ access: PlaylistAccess?, of list: PlaylistID) throws(SourceFault) -> Bool
    /// The access; `nil` for lists of the hub. Answered from memory, also on the loop.
    func access(of list: PlaylistID) -> PlaylistAccess?

    /// True when any list has an owner. Answered from memory too.
    var hasOwnedLists: Bool { get }

    // MARK: All data

    /// All data of a person, in a stable order.
    func rows(of person: Person) throws(SourceFault) -> [PersonRow]
    /// Gives the data to another person, whose own data about the same item stays.
    func give(_ person: Person, to other: Person) throws(SourceFault)
    /// Deletes all data of a person, for good.
    func forget(_ person: Person) throws(SourceFault)
}

/// The shelves of items that a person has marked.
package enum OwnShelf: String, Sendable, CaseIterable {
    /// Favourites, what was played last, and what was played most.
    case favourites, recent, most

    /// The shelf of the library that the person's own shelf replaces.
    package init?(_ node: ItemURI) {
        let start = "lib:shelf/"
        guard node.text.hasPrefix(start) else { return nil }
        self.init(rawValue: String(node.text.dropFirst(start.count)))
    }
}

/// The same for data stored under an owner text, such as prompts.
package protocol OwnerStorage: Sendable {
    /// All data of an owner, in a stable order.
    func rows(of owner: String) throws(SourceFault) -> [PersonRow]
    /// Gives the data to another owner.
    func give(_ owner: String, to other: String) throws(SourceFault)
    /// Deletes the data. What others see, such as pieces, stays without a name.
    func forget(owner: String) throws(SourceFault)
}

extension Person {
    /// The person whose marks count: users have their own, all others share those of the hub.
    package var ofMarks: Person { isUser ? self : .home }
    /// True for a signed-in user. Compared by bytes, since a name may begin with a combining mark that joins the sign to one `Character`.
    package var isUser: Bool { text.utf8.starts(with: User.personSign.utf8) }
    /// The user's name in lower case; `nil` for other persons.
    package var userKey: String? { isUser ? String(text.unicodeScalars.dropFirst(User.personSign.unicodeScalars.count)) : nil }
}
