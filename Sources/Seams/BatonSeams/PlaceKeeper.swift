package import BatonCore

/// Where people are in spoken items. It blocks on the disk, and is never asked on the loop.
///
/// `Places` decides what becomes of a report; the keeper holds it. One change is one transaction, so a report that was answered
/// survives the death of this process.
package protocol PlaceKeeper: Sendable {
    func places(of person: Person, in uri: ItemURI) throws(SourceFault) -> Places
    /// Lets the places of an item decide, and keeps them. `body` gets the item's length, as far as that is known; where it throws,
    /// nothing has changed.
    func change(
        _ item: NewEntry, of person: Person,
        _ body: @Sendable (inout Places, _ durationMs: Int?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places)
    /// The same for an item of which no more is known than its address. Where the person has never been in it, nothing is changed and
    /// the answer is `nil`.
    func change(
        known uri: ItemURI, of person: Person,
        _ body: @Sendable (inout Places, _ durationMs: Int?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places)?
    /// One item; `nil` where the person has never been.
    func placed(by person: Person, in uri: ItemURI) throws(SourceFault) -> PlacedRow?
    /// What people have begun and not finished, of so many items; the one that was heard last stands first.
    func begun(atMost count: Int) throws(SourceFault) -> [BegunItem]
    /// Items that a person has begun or finished; the one that was heard last stands first.
    func placed(by person: Person, isFinished: Bool, _ window: PageWindow) throws(SourceFault) -> [PlacedRow]
    /// Which of these a person has finished and no person is inside of.
    func finished(among uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI>
    /// How fast people hear speech.
    func spokenSpeeds() throws(SourceFault) -> [Person: SpokenSpeeds]
    func keep(_ speeds: SpokenSpeeds, of person: Person) throws(SourceFault)
    /// Puts an item in front of what a person is to hear next, until that is begun.
    func putUpNext(_ item: NewEntry, for person: Person) throws(SourceFault)
    /// The one that came last stands first.
    func upNext(for person: Person, _ window: PageWindow) throws(SourceFault) -> [ItemRow]
}

/// An item, and where a person is in it.
package struct PlacedRow: Equatable, Sendable {
    package var row: ItemRow
    package var places: Places

    package init(row: ItemRow, places: Places) {
        self.row = row
        self.places = places
    }
}

/// Where a person goes on in an item that was begun.
package struct BegunItem: Equatable, Sendable {
    package var person: Person
    package var uri: ItemURI
    package var point: ResumePoint

    package init(person: Person, uri: ItemURI, point: ResumePoint) {
        self.person = person
        self.uri = uri
        self.point = point
    }
}
