/// Places in spoken items, through the same connections as the rest of the library.
package import BatonCore
package import BatonSeams

extension LibraryStore: PlaceStorage {
    package func places(of person: Person, in uri: ItemURI) throws(SourceFault) -> Places {
        try look { library throws(SourceFault) in try library.places(of: person, in: uri) }
    }

    package func change(
        _ item: NewEntry, of person: Person,
        _ body: @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places) {
        try change { library throws(SourceFault) in try library.change(item, of: person, body) }
    }

    package func change(
        known uri: ItemURI, of person: Person,
        _ body: @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places)? {
        try change { library throws(SourceFault) in try library.change(known: uri, of: person, body) }
    }

    package func placed(by person: Person, in uri: ItemURI) throws(SourceFault) -> ItemWithPlaces? {
        try look { library throws(SourceFault) in try library.placed(by: person, in: uri) }
    }

    package func begun(atMost count: Int) throws(SourceFault) -> [BegunItem] {
        try look { library throws(SourceFault) in try library.begun(atMost: count) }
    }

    package func placed(by person: Person, isFinished: Bool, _ window: PageWindow) throws(SourceFault) -> [ItemWithPlaces] {
        try look { library throws(SourceFault) in try library.placed(by: person, isFinished: isFinished, window) }
    }

    package func finished(among uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI> {
        try look { library throws(SourceFault) in try library.finished(among: uris) }
    }

    package func putUpNext(_ item: NewEntry, for person: Person) throws(SourceFault) {
        try change { library throws(SourceFault) in try library.putUpNext(item, for: person) }
    }

    package func upNext(for person: Person, _ window: PageWindow) throws(SourceFault) -> [ItemRow] {
        try look { library throws(SourceFault) in try library.upNext(for: person, window) }
    }
}
