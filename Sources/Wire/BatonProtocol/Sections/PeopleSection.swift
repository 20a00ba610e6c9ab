/// The connected people: names, or a number for the others.
public enum PeopleSection: SectionContent {
    public typealias Person = PresentPerson

    package static let section = Section.people

    /// People, newest first, and the number of those left out.
    case list([Person], more: Int)
    case number(Int)

    /// Number of all connected people, also those whose names are left out.
    public var count: Int {
        switch self {
        case .list(let people, let more): people.count + more
        case .number(let count): count
        }
    }

    /// Largest number of people that the section can hold.
    package static let mostListed = Section.people.cap / 60
}
