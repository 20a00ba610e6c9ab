/// Who may control a room, beyond what roles say. Admins always may, so that no room is lost to its owner.
public struct RoomControl: Equatable, Sendable {
    /// Whom the rule lets in.
    public enum Who: String, Sendable, CaseIterable {
        /// Whose role allows it.
        case all
        /// Only users who are signed in; guests are none.
        case users
        /// Only users who are named.
        case named
    }

    public var who: Who
    /// In lower case, sorted.
    public var names: [String]

    package init(_ who: Who = .all, names: [String] = []) {
        self.who = who
        self.names = names
    }

    package static let mostNames = 100

    /// `user` is the name in lower case; `nil` for guests and where no user is signed in.
    package func allows(_ user: String?) -> Bool {
        switch who {
        case .all: true
        case .users: user != nil
        case .named: user.map(names.contains) ?? false
        }
    }
}
