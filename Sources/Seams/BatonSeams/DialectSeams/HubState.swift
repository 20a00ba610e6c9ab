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
    package var revision: Int { current }
    // A `package` variable that is stored would be checked for overlapping changes at each read, and each command reads this one often.
    fileprivate var current: Int
    /// The revision of the last change that is sent at once, whatever pace a client has chosen.
    package fileprivate(set) var urgentRevision = 0
    /// Number of deleted rooms. A client that has seen this number follows no deleted room.
    package var lostRooms: Int { lost }
    fileprivate var lost = 0

    /// The sections of the last change. Nearly all clients have what came before it, so for them nothing is looked at one by one.
    fileprivate struct Latest {
        var revision: Int
        var sections = SectionSet()
        /// All other sections are at most this new.
        var others = Table.none
    }

    /// The sections of one room, or those of the hub, by number. It is a class, so that a change is made in its place.
    @Loop
    fileprivate final class Table {
        /// A section. It is a class, so that a change assigns its members, which needs no check for overlapping changes.
        private final class Post {
            var value: SectionValue?
            var revision: Int

            init(revision: Int) { self.revision = revision }
        }

        private let posts: [Post]
        private var latest: Latest

        /// The revision of sections that were never published.
        nonisolated static let none = -1

        init(revision: Int = none) {
            posts = Section.allCases.map { _ in Post(revision: revision) }
            latest = Latest(revision: revision, sections: revision == Self.none ? SectionSet() : .all)
        }

        func show(_ new: SectionNews, at revision: Int) {
            let post = posts[Int(new.section.rawValue)]
            post.revision = revision
            post.value = new.value
            var latest = revision > latest.revision ? Latest(revision: revision, others: latest.revision) : latest
            latest.sections.insert(new.section)
            self.latest = latest
        }

        func has(_ new: SectionNews) -> Bool { posts[Int(new.section.rawValue)].value == new.value }

        func posted(_ section: Section) -> Posted? {
            let post = posts[Int(section.rawValue)]
            return post.revision == Self.none ? nil : Posted(value: post.value, revision: post.revision)
        }

        /// The sections among `wanted` that changed after `revision`.
        func newer(than revision: Int, of wanted: SectionSet) -> SectionSet {
            let latest = latest
            if revision >= latest.revision { return SectionSet() }
            if revision >= latest.others { return wanted.intersection(latest.sections) }
            var newer = SectionSet()
            for section in wanted where posts[Int(section.rawValue)].revision > max(revision, Self.none) { newer.insert(section) }
            return newer
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
        current = revision
        hubSections = Table()
    }

    // MARK: Reading

    /// The rooms that all clients see.
    package var roomIDs: [RoomID] { owners.isEmpty ? everyRoomID : everyRoomID.filter { owners[$0] == nil } }
    /// All rooms, including private ones.
    package var everyRoomID: [RoomID] { rooms.map(\.id) }
    /// Number of rooms, including private ones.
    package var roomCount: Int { rooms.count }
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
        guard section.isOfRoom else { return hubSections.posted(section) }
        return room.flatMap(place).flatMap { rooms[$0].sections.posted(section) }
    }

    /// True when the section already has this value.
    fileprivate func has(_ new: SectionNews, in room: Table?) -> Bool {
        if new.isCompared { return false }
        guard let table = new.section.isOfRoom ? room : hubSections else { return new.value == nil }
        return table.has(new)
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
        // The state owns its observers, so it exists. A weak reference would slow down all other references to it.
        let observer: @Loop () -> Void = { [unowned self] in
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
        private let state: HubState
        private let number: Int

        fileprivate init(_ state: HubState, _ number: Int) {
            self.state = state
            self.number = number
        }

        package func end() { state.forget(number) }
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
        if news.contains(where: { state.has($0, in: table) }) { news.removeAll { state.has($0, in: table) } }
        return Draft(room: room, sections: news)
    }

    /// Shows a draft under a new revision, which `advance` makes the current one.
    package func show(_ draft: Draft, at revision: Int) {
        let room = table(of: draft.room)
        for new in draft.sections {
            if new.section.isOfRoom { room?.show(new, at: revision) } else { state.hubSections.show(new, at: revision) }
        }
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
        state.lost += 1
    }

    package func advance(to revision: Int) { state.current = revision }

    /// Marks the changes up to this revision for sending at once.
    package func markUrgent(_ revision: Int) { state.urgentRevision = revision }

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
