/// The people who may control a room, beyond what roles allow. Admins always may, so that no room is lost to its owner.
public struct RoomControl: Equatable, Sendable {
    /// The rule that decides who may control the room.
    public enum Who: String, Sendable, CaseIterable {
        /// Everyone whose role allows it.
        case all
        /// Signed-in users; guests are not users.
        case users
        /// Users in the list `names`.
        case named
    }

    /// The rule; `names` counts only with `named`.
    public var who: Who
    /// User names in lower case, sorted.
    public var names: [String]

    package init(_ who: Who = .all, names: [String] = []) {
        self.who = who
        self.names = names
    }

    /// Number of users that one room names at most.
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
