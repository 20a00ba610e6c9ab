package import BatonCore

/// The store of people's places in spoken items. It blocks on the disk, and is never called on the loop.
///
/// `Places` decides about each report; the store writes the result. One change is one transaction, so a report that was answered survives a crash of
/// this process.
package protocol PlaceStorage: Sendable {
    /// The places of a person in an item; empty ones where there are none.
    func places(of person: Person, in uri: ItemURI) throws(SourceFault) -> Places
    /// Applies `body` to the places of an item, and stores them. It gets the item's length if that is known; when it throws, nothing has changed.
    func change(
        _ item: NewEntry, of person: Person,
        _ body: @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places)
    /// The same for an item of which only the URI is known. Returns `nil` without a change when the person has no place in it.
    func change(
        known uri: ItemURI, of person: Person,
        _ body: @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places)?
    /// One item with its places; `nil` when the person has none in it.
    func placed(by person: Person, in uri: ItemURI) throws(SourceFault) -> ItemWithPlaces?
    /// The latest `count` items that people have begun and not finished, the last heard first.
    func begun(atMost count: Int) throws(SourceFault) -> [BegunItem]
    /// Items that a person has begun or finished, the last heard first.
    func placed(by person: Person, isFinished: Bool, _ window: PageWindow) throws(SourceFault) -> [ItemWithPlaces]
    /// The items among `uris` that a person has finished and no person is in the middle of.
    func finished(among uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI>
    /// The speeds at which people hear speech.
    func spokenSpeeds() throws(SourceFault) -> [Person: SpokenSpeeds]
    /// Replaces the speeds at which a person hears speech.
    func store(_ speeds: SpokenSpeeds, of person: Person) throws(SourceFault)
    /// Puts an item first among those that a person is to hear next, until it is begun.
    func putUpNext(_ item: NewEntry, for person: Person) throws(SourceFault)
    /// Items to hear next, the last added first.
    func upNext(for person: Person, _ window: PageWindow) throws(SourceFault) -> [ItemRow]
}

/// An item and a person's places in it.
package struct ItemWithPlaces: Equatable, Sendable {
    /// The item, as the store knows it.
    package var row: ItemRow
    /// The place and the side places.
    package var places: Places

    package init(row: ItemRow, places: Places) {
        self.row = row
        self.places = places
    }
}

/// The resume position of a person in a begun item.
package struct BegunItem: Equatable, Sendable {
    /// The person who has begun it.
    package var person: Person
    package var uri: ItemURI
    /// The place from which the person goes on.
    package var point: ResumePoint

    package init(person: Person, uri: ItemURI, point: ResumePoint) {
        self.person = person
        self.uri = uri
        self.point = point
    }
}
