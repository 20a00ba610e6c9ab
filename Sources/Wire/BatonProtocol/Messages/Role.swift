/// The rights of a session. Each role includes the rights of those before it.
public enum Role: String, Sendable, CaseIterable, Comparable {
    /// `listener` reads and votes, `guest` also adds music within limits, `remote` controls playback and lists, and `admin` the hub itself.
    case listener, guest, remote, admin

    private var rank: Int {
        switch self {
        case .listener: 0
        case .guest: 1
        case .remote: 2
        case .admin: 3
        }
    }

    /// Orders roles by their rights, from `listener` to `admin`.
    public static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }
}
