/// The answer to `people.list`: those who are connected to the hub, or those who are in a room.
public enum PeopleListing: Equatable, Sendable {
    case hub(PeopleSection)
    case room(ListenersSection)
}
