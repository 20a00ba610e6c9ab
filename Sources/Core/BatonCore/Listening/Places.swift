/// The place of one person in one item, and the side places of sessions that ran beside it.
///
/// A value. A report moves the place only if the place belongs to the same session or one of its ancestors; every other report becomes the side place
/// of its session, which a person can restore. So neither a clock nor the larger position decides: a deliberate rewind holds, because it comes from
/// the session of the place, and a late report of another device changes nothing, because its session does not descend from the place. A change by
/// hand is a session too, and no earlier session descends from it.
package struct Places: Equatable, Sendable {
    /// The place; `nil` before the first report.
    package private(set) var current: ItemPlace?
    /// Side places, the last moved one last.
    package private(set) var sides: [ItemPlace] = []
    /// The session that each session started from, the newest last.
    package private(set) var lineage: [Start] = []

    /// A session with the one that it started from.
    package struct Start: Equatable, Sendable {
        /// The session, which is listed once.
        package var session: SessionID
        /// The session that it started from; `nil` where none was known.
        package var parent: SessionID?

        package init(_ session: SessionID, from parent: SessionID?) {
            self.session = session
            self.parent = parent
        }
    }

    /// The effect of a report or a change.
    package enum Change: String, Equatable, Sendable {
        /// The place has changed.
        case moved
        /// A side place was added or moved.
        case aside
        /// Nothing new: the report came twice, is too near the beginning, or repeats the place.
        case same
    }

    /// Number of side places of one item; the least needed one is dropped.
    package static let mostSides = 16
    /// More sessions than a person begins in one item before a late device reports again. A session with forgotten ancestors makes a side place, so
    /// nothing is lost.
    package static let mostStarts = 128
    /// A position before this is not stored, because players report 0:00 when they stop.
    package static let beginningMs: Milliseconds = 1000
    /// A report may be this far behind the end, because servers round lengths and cut advertisements.
    package static let beyondEndMs: Milliseconds = 60_000

    /// An item in which the person has no place.
    package init() {}

    /// Restores stored places.
    package init(current: ItemPlace?, sides: [ItemPlace], lineage: [Start]) {
        self.current = current
        self.sides = sides
        self.lineage = lineage
    }

    // MARK: Reports

    /// Takes a report, which moves the place or the side place of its session; refuses one with an impossible position.
    package mutating func take(_ report: PlaceReport) throws(Refusal) -> Change {
        try check(report)
        try note(report.session)
        guard report.positionMs >= Self.beginningMs || report.isAtEnd else { return .same }
        let place = ItemPlace(report)
        guard let current, !descends(report.session.id, from: current.session) else { return move(to: place) }
        return putAside(place)
    }

    private func check(_ report: PlaceReport) throws(Refusal) {
        if report.positionMs < 0 { throw Refusal(.badRequest, "A position cannot lie before the beginning.") }
        guard let durationMs = report.durationMs, report.positionMs.minus(durationMs) > Self.beyondEndMs else { return }
        let seconds = Int((report.positionMs - durationMs).seconds)
        throw Refusal(.badRequest, "The position lies \(seconds) s behind the end of the item, so it was not noted.")
    }

    /// Notes the start of a session. Only its first report counts for that.
    private mutating func note(_ session: ListeningSession) throws(Refusal) {
        guard !lineage.contains(where: { $0.session == session.id }) else { return }
        if let parent = session.parent, descends(parent, from: session.id) {
            throw Refusal(.badRequest, "A session cannot have started from one that started from it.")
        }
        lineage.append(Start(session.id, from: session.parent))
        lineage.removeFirst(max(0, lineage.count - Self.mostStarts))
    }

    /// True when the session is `ancestor`, or started from its place or from that of a descendant.
    package func descends(_ session: SessionID, from ancestor: SessionID) -> Bool {
        var next: SessionID? = session
        // Stored sessions cannot form a circle: each was noted before it became a parent, or was refused.
        for _ in 0...lineage.count {
            guard let here = next else { return false }
            if here == ancestor { return true }
            next = lineage.last { $0.session == here }?.parent
        }
        return false
    }

    private mutating func move(to place: ItemPlace) -> Change {
        guard !isSame(place, current) else { return .same }
        sides.removeAll { $0.session == place.session }
        current = place
        return .moved
    }

    /// Only its own session moves a side place: a session that started from it may report late.
    private mutating func putAside(_ place: ItemPlace) -> Change {
        let known = sides.firstIndex { $0.session == place.session }
        if let known, isSame(place, sides[known]) { return .same }
        if let known { sides.remove(at: known) }
        sides.append(place)
        if sides.count > Self.mostSides { sides.remove(at: dispensable) }
        return .aside
    }

    /// The oldest side place that another one descends from, else the oldest of all. A room that plays beside the place begins a session after each
    /// pause, and must not displace the side places of other devices.
    private var dispensable: Int {
        sides.indices.dropLast().first { index in
            let session = sides[index].session
            return sides.contains { $0.session != session && descends($0.session, from: session) }
        } ?? 0
    }

    /// True when the places differ at most in their times: the same report may come twice.
    private func isSame(_ place: ItemPlace, _ known: ItemPlace?) -> Bool {
        guard var known else { return false }
        known.atMs = place.atMs
        return place == known
    }

    // MARK: At a server

    /// Handles a place that another device of the person left at the item's server, which knows no sessions. If it is `ahead`, it becomes the place
    /// and the old place becomes a side place; sessions here do not take it back. Otherwise it becomes a side place.
    package mutating func found(_ place: ItemPlace, isAhead: Bool) -> Change {
        if let current, current.isNear(place) { return .same }
        if current != nil, !isAhead { return sides.contains { $0.isNear(place) } ? .same : putAside(place) }
        if let current, current.isInside, current.session != place.session { _ = putAside(current) }
        sides.removeAll { $0.isNear(place) }
        begin(place.session)
        return move(to: place)
    }

    /// Begins a session without a parent, so that side places of earlier sessions stay.
    private mutating func begin(_ session: SessionID) {
        guard !lineage.contains(where: { $0.session == session }) else { return }
        lineage.append(Start(session, from: nil))
        lineage.removeFirst(max(0, lineage.count - Self.mostStarts))
    }

    // MARK: By hand

    /// Makes the side place of a session the place, and the old place a side place. Neither session continues from there by itself: the change is the
    /// session `hand`.
    package mutating func restore(_ session: SessionID, by hand: ListeningSession, atMs: Milliseconds) throws(Refusal) -> Change {
        guard !hasTaken(hand) else { return .same }
        guard let index = sides.firstIndex(where: { $0.session == session }) else {
            throw Refusal(.gone, "That side place is not there any more. See: baton progress")
        }
        let side = sides.remove(at: index)
        return set(side.positionMs, isFinished: side.isFinished, by: hand, atMs: atMs)
    }

    /// Marks the item as heard to its end, if its length is known.
    package mutating func finish(durationMs: Milliseconds?, by hand: ListeningSession, atMs: Milliseconds) -> Change {
        guard current?.isFinished != true, !hasTaken(hand) else { return .same }
        return set(durationMs ?? current?.positionMs ?? 0, isFinished: true, by: hand, atMs: atMs)
    }

    /// Resets the item to its beginning.
    package mutating func reset(by hand: ListeningSession, atMs: Milliseconds) -> Change {
        guard let current, current.isFinished || current.positionMs > 0, !hasTaken(hand) else { return .same }
        return set(0, isFinished: false, by: hand, atMs: atMs)
    }

    /// True when the change was applied already: a press may arrive twice with the same session.
    private func hasTaken(_ hand: ListeningSession) -> Bool { lineage.contains { $0.session == hand.id } }

    private mutating func set(_ positionMs: Milliseconds, isFinished: Bool, by hand: ListeningSession, atMs: Milliseconds) -> Change {
        if let current, current.isInside { _ = putAside(current) }
        begin(hand.id)
        current = ItemPlace(
            positionMs: positionMs, isFinished: isFinished, session: hand.id, device: hand.device, room: hand.room, atMs: atMs)
        return .moved
    }
}
