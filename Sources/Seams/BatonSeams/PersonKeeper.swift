/// What a store keeps for single persons. It blocks on the disk, and is never asked on the loop, unless a function says so.
package import BatonCore

package protocol PersonKeeper: Sendable {
    // MARK: Marks

    /// False when it was so already.
    func setFavourite(_ item: NewEntry, _ isFavourite: Bool, of person: Person, atMs: Int64) throws(SourceFault) -> Bool
    func setStars(_ item: NewEntry, _ stars: Int, of person: Person, atMs: Int64) throws(SourceFault) -> Bool
    /// Heard for long enough to count.
    func notePlayed(_ item: NewEntry, by person: Person, room: RoomID, atMs: Int64) throws(SourceFault)
    func marks(of uris: [ItemURI], by person: Person) throws(SourceFault) -> [ItemURI: ItemMark]
    /// Newest first.
    func history(of person: Person, _ window: PageWindow) throws(SourceFault) -> [PlayedRow]
    func marked(
        _ shelf: OwnShelf, by person: Person, sortedBy sort: BrowseQuery.Sort?, _ window: PageWindow
    ) throws(SourceFault) -> ItemPage
    /// What plays when such a shelf is played: its items, with those that albums and lists hold.
    func expand(_ shelf: OwnShelf, by person: Person, most: Int) throws(SourceFault) -> [NewEntry]
    /// All of a mix, in an order that stays for a day.
    func rows(of mix: LibraryMix, for person: Person) throws(SourceFault) -> [ItemRow]
    func expand(_ mix: LibraryMix, by person: Person, most: Int) throws(SourceFault) -> [NewEntry]
    /// Which of these any person has as a favourite, or has given stars.
    func markedByAny(_ uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI>

    // MARK: Playlists

    /// As `UserMarks.createPlaylist` does it, for an owner.
    func createPlaylist(
        _ name: String, _ entries: [NewEntry], rule: SmartRule?, _ access: PlaylistAccess, once: CommandKey?, atMs: Int64
    ) throws(SourceFault) -> PlaylistOutcome
    /// The same as in `UserMarks`, but that lists which a rule fills have what this person has marked.
    func playlists(_ window: PageWindow, for person: Person) throws(SourceFault) -> [PlaylistRow]
    func playlist(_ id: PlaylistID, from: Int, count: Int, for person: Person) throws(SourceFault) -> PlaylistPage
    func expandPlaylist(_ id: PlaylistID, for person: Person) throws(SourceFault) -> [NewEntry]
    /// Without an access the list is the hub's. False when it was so already.
    func setAccess(_ access: PlaylistAccess?, of list: PlaylistID) throws(SourceFault) -> Bool
    /// `nil` for lists of the hub. It answers from memory, and is asked on the loop, too.
    func access(of list: PlaylistID) -> PlaylistAccess?

    /// Whether any list has an owner. It answers from memory, too.
    var hasOwnedLists: Bool { get }

    // MARK: As a whole

    /// All of it, in an order that stays.
    func rows(of person: Person) throws(SourceFault) -> [PersonRow]
    /// Gives it to another person. Where both have something about the same item, that of the other person stays.
    func give(_ person: Person, to other: Person) throws(SourceFault)
    func forget(_ person: Person) throws(SourceFault)
}

/// The lists of items that a person has marked.
package enum OwnShelf: String, Sendable, CaseIterable {
    case favourites, recent, most

    /// The shelf of the library that this user sees in its place.
    package init?(_ node: ItemURI) {
        let start = "lib:shelf/"
        guard node.text.hasPrefix(start) else { return nil }
        self.init(rawValue: String(node.text.dropFirst(start.count)))
    }
}

/// The same for what is kept under a text of its own, such as prompts.
package protocol OwnerKeeper: Sendable {
    func rows(of owner: String) throws(SourceFault) -> [PersonRow]
    func give(_ owner: String, to other: String) throws(SourceFault)
    func forget(owner: String) throws(SourceFault)
}

extension Person {
    /// Whose marks this person has: users have their own, all others share those of the hub.
    package var ofMarks: Person { isUser ? self : .home }
    /// By bytes, since a name may begin with a mark that joins the sign to one `Character`.
    package var isUser: Bool { text.utf8.starts(with: User.personSign.utf8) }
    /// The user's name in lower case; `nil` for persons that are none.
    package var userKey: String? { isUser ? String(text.unicodeScalars.dropFirst(User.personSign.unicodeScalars.count)) : nil }
}
