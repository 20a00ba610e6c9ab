/// Where one person is in one item: *the* place, and the side places of those who listened beside it.
///
/// A value. A report becomes the place only if the place belongs to the same session or to one of its ancestors; every other report is
/// kept as the side place of its session, which a person can restore. So neither a clock nor the larger position decides: a deliberate rewind holds,
/// since it comes from the session of the place, and a device that reports late changes nothing, since its session does not know of
/// the place. What a person sets by hand is a session too, which nothing that was begun before it descends from.
package struct Places: Equatable, Sendable {
    /// `nil` before the first report.
    package private(set) var current: ItemPlace?
    /// The one that moved last stands last.
    package private(set) var sides: [ItemPlace] = []
    /// From which session each has started, the last one last.
    package private(set) var lineage: [Start] = []

    package struct Start: Equatable, Sendable {
        package var session: SessionID
        package var parent: SessionID?

        package init(_ session: SessionID, from parent: SessionID?) {
            self.session = session
            self.parent = parent
        }
    }

    /// What became of a report or a change.
    package enum Change: String, Equatable, Sendable {
        /// The place is another one.
        case moved
        /// A side place came or moved.
        case aside
        case same
    }

    package static let mostSides = 16
    /// More sessions than a person begins in one item before a late device is heard of again. A session whose ancestors were
    /// forgotten makes a side place, so nothing is lost by it.
    package static let mostStarts = 128
    /// What was heard before this is no place: players report 0:00 when they stop.
    package static let beginningMs = 1000
    /// Servers round lengths and cut advertisements, so a report may lie so far behind the end.
    package static let beyondEndMs = 60_000

    package init() {}

    /// As it was kept.
    package init(current: ItemPlace?, sides: [ItemPlace], lineage: [Start]) {
        self.current = current
        self.sides = sides
        self.lineage = lineage
    }

    // MARK: Reports

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
        throw Refusal(
            .badRequest, "The position lies \((report.positionMs - durationMs) / 1000) s behind the end of the item, so it was not noted.")
    }

    /// Where a session has started is said once. What it says later of that changes nothing.
    private mutating func note(_ session: ListeningSession) throws(Refusal) {
        guard !lineage.contains(where: { $0.session == session.id }) else { return }
        if let parent = session.parent, descends(parent, from: session.id) {
            throw Refusal(.badRequest, "A session cannot have started from one that started from it.")
        }
        lineage.append(Start(session.id, from: session.parent))
        lineage.removeFirst(max(0, lineage.count - Self.mostStarts))
    }

    /// Whether it is that session, or started from its place or from that of one of its descendants.
    package func descends(_ session: SessionID, from ancestor: SessionID) -> Bool {
        var next: SessionID? = session
        // Sessions that are kept can form no circle, since each was noted before it was a parent, or would have closed it.
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

    /// A side place moves on with its own session alone: one that started from it may report late, from before it.
    private mutating func putAside(_ place: ItemPlace) -> Change {
        let known = sides.firstIndex { $0.session == place.session }
        if let known, isSame(place, sides[known]) { return .same }
        if let known { sides.remove(at: known) }
        sides.append(place)
        if sides.count > Self.mostSides { sides.remove(at: dispensable) }
        return .aside
    }

    /// The oldest that another side place goes on from, else the oldest of all: a room that plays on beside the place begins a session
    /// after each pause, which must not displace those of other devices.
    private var dispensable: Int {
        sides.indices.dropLast().first { index in
            let session = sides[index].session
            return sides.contains { $0.session != session && descends($0.session, from: session) }
        } ?? 0
    }

    /// Apart from the clock: the same report may come twice.
    private func isSame(_ place: ItemPlace, _ known: ItemPlace?) -> Bool {
        guard var known else { return false }
        known.atMs = place.atMs
        return place == known
    }

    // MARK: At a server

    /// Another device of the person left this place at the item's server, which knows no sessions. Where it is `ahead`, it becomes the
    /// place, and what was the place becomes a side place; what plays here on does not take it back. Otherwise it is kept beside.
    package mutating func found(_ place: ItemPlace, isAhead: Bool) -> Change {
        if let current, current.isNear(place) { return .same }
        if current != nil, !isAhead { return sides.contains { $0.isNear(place) } ? .same : putAside(place) }
        if let current, current.isInside, current.session != place.session { _ = putAside(current) }
        sides.removeAll { $0.isNear(place) }
        begin(place.session)
        return move(to: place)
    }

    /// The session descends from no other, so that side places of those before it stay.
    private mutating func begin(_ session: SessionID) {
        guard !lineage.contains(where: { $0.session == session }) else { return }
        lineage.append(Start(session, from: nil))
        lineage.removeFirst(max(0, lineage.count - Self.mostStarts))
    }

    // MARK: By hand

    /// The side place of a session becomes the place, and what was the place becomes a side place. Neither session goes on from there
    /// by itself: the change is the session `hand`.
    package mutating func restore(_ session: SessionID, by hand: ListeningSession, atMs: Int64) throws(Refusal) -> Change {
        guard !hasTaken(hand) else { return .same }
        guard let index = sides.firstIndex(where: { $0.session == session }) else {
            throw Refusal(.gone, "That side place is not there any more. See: baton progress")
        }
        let side = sides.remove(at: index)
        return set(side.positionMs, isFinished: side.isFinished, by: hand, atMs: atMs)
    }

    /// Counts as heard to the end, as far as that is known.
    package mutating func finish(durationMs: Int?, by hand: ListeningSession, atMs: Int64) -> Change {
        guard current?.isFinished != true, !hasTaken(hand) else { return .same }
        return set(durationMs ?? current?.positionMs ?? 0, isFinished: true, by: hand, atMs: atMs)
    }

    /// To be heard from the beginning.
    package mutating func reset(by hand: ListeningSession, atMs: Int64) -> Change {
        guard let current, current.isFinished || current.positionMs > 0, !hasTaken(hand) else { return .same }
        return set(0, isFinished: false, by: hand, atMs: atMs)
    }

    /// The same press may come twice; both name the same session.
    private func hasTaken(_ hand: ListeningSession) -> Bool { lineage.contains { $0.session == hand.id } }

    private mutating func set(_ positionMs: Int, isFinished: Bool, by hand: ListeningSession, atMs: Int64) -> Change {
        if let current, current.isInside { _ = putAside(current) }
        begin(hand.id)
        current = ItemPlace(
            positionMs: positionMs, isFinished: isFinished, session: hand.id, device: hand.device, room: hand.room, atMs: atMs)
        return .moved
    }
}
