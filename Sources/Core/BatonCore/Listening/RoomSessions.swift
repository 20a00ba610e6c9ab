/// The parent sessions of the rooms' stretches.
package struct RoomSessions: Sendable {
    private var known: [(session: SessionID, parent: SessionID?, isReported: Bool)] = []
    private static let most = 256

    /// A list of no sessions, as after a start of the hub.
    package init() {}

    /// Notes a stretch and decides its parent, by the person's place when the stretch began.
    package mutating func begin(_ stretch: PlaceWatch.Stretch, at place: ItemPlace?) {
        known.append((stretch.session, parent(of: stretch.origin, at: place), false))
        known.removeFirst(max(0, known.count - Self.most))
    }

    private func parent(of origin: PlaceWatch.Origin, at place: ItemPlace?) -> SessionID? {
        switch origin {
        case .place: return place?.session
        case .position(let positionMs):
            guard let place, place.positionMs.minus(positionMs).magnitude <= PlaceWatch.nearMs else { return nil }
            return place.session
        case .session(let session):
            // A stretch that was too short to be reported is unknown as an ancestor.
            guard let earlier = known.last(where: { $0.session == session }), !earlier.isReported else { return session }
            return earlier.parent
        }
    }

    /// The session that this one started from; `nil` where there is none or it is forgotten.
    package func parent(of session: SessionID) -> SessionID? { known.last { $0.session == session }?.parent }

    /// Notes that the session was reported, so that a later stretch may name it as its parent.
    package mutating func noteReport(of session: SessionID) {
        guard let at = known.lastIndex(where: { $0.session == session }) else { return }
        known[at].isReported = true
    }
}
