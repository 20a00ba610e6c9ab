package import BatonCore
package import BatonProtocol

/// The state that clients see: each section as a value, with the revision at which it last changed.
///
/// A section with an equal value has not changed, whatever happened in the room, and uses no revision. Two numbers tell what a client lacks: the last
/// revision that it was sent, and the revision of each section that it follows. So nothing is stored per client. Dialects read the state; the hub
/// writes it through `HubStateWriter`.
@Loop
package final class HubState {
    /// A section with the revision of its last change.
    package struct Posted: Equatable, Sendable {
        /// The value; `nil` once the section was removed, with the revision of the removal.
        package var value: SectionValue?
        /// The revision at which it got this value.
        package var revision: Int
    }

    /// Identifies the life of the journal. Revisions of different epochs cannot be compared.
    package let epoch: String
    package fileprivate(set) var revision: Int
    /// The revision of the last change that is sent at once, whatever pace a client has chosen.
    package fileprivate(set) var urgentRevision = 0
    /// Number of deleted rooms. A client that has seen this number follows no deleted room.
    package fileprivate(set) var lostRooms = 0

    /// Sections by number. Revisions are stored apart from the values, because each command reads many of them and few values.
    fileprivate struct Posts {
        private(set) var revisions: [Int]
        private(set) var values: [SectionValue?]

        /// The revision of sections that were never published.
        static let none = -1
        /// Stands in their place while they are changed, so that they are not copied.
        static let empty = Posts(revisions: [], values: [])

        private init(revisions: [Int], values: [SectionValue?]) {
            self.revisions = revisions
            self.values = values
        }

        init(revision: Int = none) {
            revisions = [Int](repeating: revision, count: Section.allCases.count)
            values = [SectionValue?](repeating: nil, count: Section.allCases.count)
        }

        mutating func show(_ news: [SectionNews], at revision: Int) {
            for index in news.indices {
                let place = Int(news[index].section.rawValue)
                revisions[place] = revision
                values[place] = news[index].value
            }
        }

        func has(_ new: SectionNews) -> Bool { values[Int(new.section.rawValue)] == new.value }

        func newer(than revision: Int, of wanted: SectionSet) -> SectionSet {
            var newer = SectionSet()
            for section in wanted where revisions[Int(section.rawValue)] > max(revision, Self.none) { newer.insert(section) }
            return newer
        }
    }

    /// The sections of the last change. Nearly all clients have what came before it, so for them nothing is looked at one by one.
    fileprivate struct Latest {
        var revision: Int
        var sections = SectionSet()
        /// All other sections are at most this new.
        var others = Posts.none
    }

    /// The sections of one room, or those of the hub. It is a class, so that a change is made in its place.
    @Loop
    fileprivate final class Table {
        private(set) var posts: Posts
        private var latest: Latest

        init(revision: Int = Posts.none) {
            posts = Posts(revision: revision)
            latest = Latest(revision: revision, sections: revision == Posts.none ? SectionSet() : .all)
        }

        func show(_ news: [SectionNews], at revision: Int) {
            var posts = posts
            self.posts = .empty
            posts.show(news, at: revision)
            self.posts = posts
            var latest = revision > latest.revision ? Latest(revision: revision, others: latest.revision) : latest
            for index in news.indices { latest.sections.insert(news[index].section) }
            self.latest = latest
        }

        /// The sections among `wanted` that changed after `revision`.
        func newer(than revision: Int, of wanted: SectionSet) -> SectionSet {
            let latest = latest
            if revision >= latest.revision { return SectionSet() }
            if revision >= latest.others { return wanted.intersection(latest.sections) }
            return posts.newer(than: revision, of: wanted)
        }
    }

    fileprivate var hubSections: Table
    // There are few rooms, so a linear search is faster than hashing.
    fileprivate var rooms: [(id: RoomID, sections: Table, madeAt: Int)] = []
    /// Owners of private rooms (`Identity.voter`). Other clients do not see those rooms.
    fileprivate var owners: [RoomID: String] = [:]
    private var observers: [(number: Int, told: @Loop () -> Void)] = []
    private var observerNumbers = 0

    fileprivate init(epoch: String, revision: Int) {
        self.epoch = epoch
        self.revision = revision
        hubSections = Table()
    }

    // MARK: Reading

    /// The rooms that all clients see.
    package var roomIDs: [RoomID] { owners.isEmpty ? everyRoomID : everyRoomID.filter { owners[$0] == nil } }
    /// All rooms, including private ones.
    package var everyRoomID: [RoomID] { rooms.map(\.id) }
    /// The room of clients that name none. A hub always has a room that is not private.
    package var firstRoom: RoomID { rooms.first { owners[$0.id] == nil }?.id ?? RoomID("") }

    /// True for a room that all clients see.
    package func has(_ room: RoomID) -> Bool { owners[room] == nil && place(of: room) != nil }

    /// True for a room that this client sees; a private one only for its owner.
    package func has(_ room: RoomID, for identity: Identity) -> Bool {
        guard let owner = owners[room] else { return place(of: room) != nil }
        return owner == identity.voter
    }

    /// True for a room that only its owner sees.
    package func isPrivate(_ room: RoomID) -> Bool { owners[room] != nil }

    /// The section as it is now; `nil` when it was never shown, or when there is no such room.
    package func posted(_ section: Section, of room: RoomID?) -> Posted? {
        let index = Int(section.rawValue)
        guard section.isOfRoom else { return Self.posted(index, in: hubSections) }
        guard let place = room.flatMap(place) else { return nil }
        return Self.posted(index, in: rooms[place].sections)
    }

    private static func posted(_ index: Int, in table: Table) -> Posted? {
        let revision = table.posts.revisions[index]
        return revision == Posts.none ? nil : Posted(value: table.posts.values[index], revision: revision)
    }

    /// True when the section already has this value.
    fileprivate func has(_ new: SectionNews, in room: Table?) -> Bool {
        if new.isCompared { return false }
        guard let table = new.section.isOfRoom ? room : hubSections else { return new.value == nil }
        return table.posts.has(new)
    }

    fileprivate func place(of room: RoomID) -> Int? {
        for index in rooms.indices where rooms[index].id == room { return index }
        return nil
    }

    /// True when this room is new for a client that was last sent `revision`, even if it knew one with the same id.
    package func wasMade(_ room: RoomID, after revision: Int) -> Bool { place(of: room).map { rooms[$0].madeAt > revision } ?? false }

    /// The sections among `wanted` that a client which was last sent `revision` does not have.
    package func newer(than revision: Int, of wanted: SectionSet, in room: RoomID) -> SectionSet {
        let ofHub = hubSections.newer(than: revision, of: wanted.intersection(.ofHub))
        guard let place = place(of: room) else { return ofHub }
        return ofHub.union(rooms[place].sections.newer(than: revision, of: wanted.intersection(.ofRooms)))
    }

    /// The sections among `wanted` that have a value.
    package func present(of wanted: SectionSet, in room: RoomID) -> SectionSet {
        var present = SectionSet()
        for section in wanted where posted(section, of: room)?.value != nil { present.insert(section) }
        return present
    }

    /// The present values of these sections.
    package func snapshot(of sections: SectionSet, in room: RoomID) -> [SectionValue] {
        sections.compactMap { posted($0, of: room)?.value }
    }

    // MARK: Observing

    /// Calls `observer` after changes, once the client whose command made them has its answer. It may be called once for several changes, since only
    /// the newest state can be read.
    package func observe(_ observer: @escaping @Loop () -> Void) -> Observation {
        observerNumbers += 1
        observers = observers + [(observerNumbers, observer)]
        return Observation(self, observerNumbers)
    }

    /// The revisions after changes. At most one waits; a newer one replaces it.
    package func revisions() -> AsyncStream<Int> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        observerNumbers += 1
        let number = observerNumbers
        let observer: @Loop () -> Void = { [weak self] in
            guard let self else { return }
            // A reader that has gone away is noticed at the next change.
            if case .terminated = continuation.yield(self.revision) { self.forget(number) }
        }
        observers = observers + [(number, observer)]
        return stream
    }

    fileprivate func tell() { for observer in observers { observer.told() } }

    fileprivate func forget(_ observer: Int) { observers = observers.filter { $0.number != observer } }

    /// The registration of an observer, which lasts until `end`, or as long as the state.
    @Loop
    package final class Observation {
        private weak var state: HubState?
        private let number: Int

        fileprivate init(_ state: HubState, _ number: Int) {
            self.state = state
            self.number = number
        }

        /// Ends the calls to the observer.
        package func end() { state?.forget(number) }
    }

}

/// The writing side of the state.
@Loop
package final class HubStateWriter {
    /// The reading side, which dialects get.
    package let state: HubState

    package init(epoch: String, revision: Int) { state = HubState(epoch: epoch, revision: revision) }

    /// Changed sections that no client has seen yet.
    package struct Draft {
        fileprivate let room: RoomID?
        fileprivate var sections: [SectionNews] = []
        /// True when nothing differs from the present state.
        package var isEmpty: Bool { sections.isEmpty }
    }

    /// Keeps the part of `news` that differs from the present state.
    package func draft(_ news: consuming [SectionNews], of room: RoomID?) -> Draft {
        let table = table(of: room)
        // Nearly always all of it differs.
        guard let first = news.indices.first(where: { state.has(news[$0], in: table) }) else { return Draft(room: room, sections: news) }
        var sections = Array(news[..<first])
        for index in first + 1..<news.count where !state.has(news[index], in: table) { sections.append(news[index]) }
        return Draft(room: room, sections: sections)
    }

    /// Shows a draft under a new revision, which `advance` makes the current one.
    package func show(_ draft: Draft, at revision: Int) {
        guard !draft.isEmpty else { return }
        guard let id = draft.room else { return state.hubSections.show(draft.sections, at: revision) }
        let room = table(of: id)
        guard draft.sections.contains(where: { !$0.section.isOfRoom }) else {
            room?.show(draft.sections, at: revision)
            return
        }
        state.hubSections.show(draft.sections.filter { !$0.section.isOfRoom }, at: revision)
        room?.show(draft.sections.filter { $0.section.isOfRoom }, at: revision)
    }

    private func table(of room: RoomID?) -> HubState.Table? { room.flatMap(state.place).map { state.rooms[$0].sections } }

    /// Begins anew, as after a restart. A client that returns with a copy of a section that is not published again must be told that it is gone.
    package func begin(with rooms: [RoomID], at revision: Int) {
        state.hubSections = HubState.Table(revision: revision)
        state.rooms = rooms.map { ($0, HubState.Table(revision: revision), revision) }
        state.owners = [:]
    }

    /// Adds a room without sections. Its id may have belonged to another room. With an owner it is private.
    package func open(_ room: RoomID, of owner: String? = nil, at revision: Int) {
        state.rooms = state.rooms.filter { $0.id != room } + [(room, HubState.Table(revision: revision), revision)]
        state.owners[room] = owner
    }

    /// Removes a room. Clients that followed it get another room as a whole.
    package func close(_ room: RoomID) {
        state.rooms = state.rooms.filter { $0.id != room }
        state.owners[room] = nil
        state.lostRooms += 1
    }

    /// Makes this the current revision, up to which clients may be sent changes.
    package func advance(to revision: Int) { state.revision = revision }

    /// Marks the changes up to this revision for sending at once.
    package func hurry(_ revision: Int) { state.urgentRevision = revision }

    /// Calls the observers.
    package func tell() { state.tell() }
}

/// A section and its new value; `nil` removes it.
package struct SectionNews: Sendable {
    package let section: Section
    /// The value; `nil` removes the section.
    package let value: SectionValue?
    /// Its maker knows that it differs from what is shown.
    let isCompared: Bool

    package init(_ value: SectionValue, isCompared: Bool = false) {
        section = value.section
        self.value = value
        self.isCompared = isCompared
    }

    package init(removing section: Section) {
        self.section = section
        value = nil
        isCompared = false
    }
}
