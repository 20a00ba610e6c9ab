/// Access to a playlist that belongs to a user. Playlists without an owner belong to the hub: everyone may see and change them.
public struct PlaylistAccess: Equatable, Sendable {
    /// The people who may read the playlist.
    public enum Sharing: String, Sendable, CaseIterable {
        /// The owner alone.
        case `private`
        /// Everyone may see and play it.
        case shared
        /// Everyone who has its link may see and play it.
        case link
    }

    /// The only person who may change the list and its access.
    package var owner: Person
    /// The people besides the owner who may see it.
    package var sharing: Sharing
    /// The secret word of the link; a new one each time sharing by link begins, so that an old link stops working.
    package var link: String?

    /// Access for the owner alone, unless told otherwise.
    package init(owner: Person, sharing: Sharing = .private, link: String? = nil) {
        self.owner = owner
        self.sharing = sharing
        self.link = link
    }

    /// True when this person may see it, with the link that was shown.
    package func isReadable(by person: Person, showing shown: String? = nil) -> Bool {
        switch sharing {
        case _ where person == owner: true
        case .private: false
        case .shared: true
        case .link: link != nil && shown == link
        }
    }

    /// True for the owner; sharing never lets others edit.
    package func isEditable(by person: Person) -> Bool { person == owner }
}
