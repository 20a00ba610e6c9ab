/// Who may see and change a playlist that belongs to a user. Lists without an owner are the hub's, which all may see and change.
public struct PlaylistAccess: Equatable, Sendable {
    /// How far its owner has opened it.
    public enum Sharing: String, Sendable, CaseIterable {
        /// The owner alone.
        case `private`
        /// All may see it and play it.
        case shared
        /// Those who know its link.
        case link
    }

    package var owner: Person
    package var sharing: Sharing
    /// The word that opens it; made anew whenever sharing by link begins, so that an old one is good for nothing.
    package var link: String?

    package init(owner: Person, sharing: Sharing = .private, link: String? = nil) {
        self.owner = owner
        self.sharing = sharing
        self.link = link
    }

    /// Whether this person may see it, with the link that was shown.
    package func isReadable(by person: Person, showing shown: String? = nil) -> Bool {
        switch sharing {
        case _ where person == owner: true
        case .private: false
        case .shared: true
        case .link: link != nil && shown == link
        }
    }

    package func isEditable(by person: Person) -> Bool { person == owner }
}
