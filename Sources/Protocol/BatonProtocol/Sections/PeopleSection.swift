/// The people who are connected: by name for the profile `full`, and as a number for the others.
public enum PeopleSection: SectionContent {
    package static let section = Section.people

    /// Newest first, and how many are left out.
    case list([Person], more: Int)
    case number(Int)

    public var count: Int {
        switch self {
        case .list(let people, let more): people.count + more
        case .number(let count): count
        }
    }

    /// A section of the largest size cannot hold more.
    package static let mostListed = Section.people.cap / 60
}
