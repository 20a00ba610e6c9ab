/// One place in a queue.
///
/// All copies share the details, in a box that is never changed: a queue is copied with each edit,
/// and ten thousand entries then cost a count each instead of a dozen.
package struct QueueEntry: Equatable, Sendable {
    package let id: EntryID
    private var box: Box

    package init(
        id: EntryID, uri: ItemURI, tags: Tags, format: SoundFormat? = nil, problem: String? = nil, addedBy: String? = nil,
        addedAtMs: Int64 = 0, trust: Trust = .itemsOnly, share: String? = nil, alternatives: [ItemURI] = []
    ) {
        self.id = id
        box = Box(
            Details(
                uri: uri, tags: tags, format: format, problem: problem, addedBy: addedBy, addedAtMs: addedAtMs, trust: trust, share: share,
                alternatives: Self.bounded(alternatives, of: uri)))
    }

    package var uri: ItemURI { box.details.uri }

    package var tags: Tags {
        get { box.details.tags }
        set { change { $0.tags = newValue } }
    }

    /// Known once it was played.
    package var format: SoundFormat? {
        get { box.details.format }
        set { change { $0.format = newValue } }
    }

    /// Why it could not be played, the last time it was tried.
    package var problem: String? {
        get { box.details.problem }
        set { change { $0.problem = newValue } }
    }

    package var addedBy: String? { box.details.addedBy }
    /// Wall clock.
    package var addedAtMs: Int64 { box.details.addedAtMs }
    /// The trust of the client that added it: the item is looked up again each time it plays, with no more rights than then.
    package var trust: Trust { box.details.trust }
    /// Whose part of the queue it takes up: kept, and never told to a remote.
    package var share: String? { box.details.share }

    /// Other places of the same track, best first: what plays when `uri` cannot. At most `mostAlternatives`, and never `uri` itself.
    package var alternatives: [ItemURI] {
        get { box.details.alternatives }
        set {
            let bounded = Self.bounded(newValue, of: uri)
            change { $0.alternatives = bounded }
        }
    }

    package static let mostAlternatives = 4

    private static func bounded(_ places: [ItemURI], of uri: ItemURI) -> [ItemURI] {
        guard !places.isEmpty else { return [] }
        var kept: [ItemURI] = []
        for place in places where place != uri && !kept.contains(place) && kept.count < mostAlternatives { kept.append(place) }
        return kept
    }

    private mutating func change(_ body: (inout Details) -> Void) {
        var details = box.details
        body(&details)
        box = Box(details)
    }

    package static func == (a: QueueEntry, b: QueueEntry) -> Bool {
        a.id == b.id && (a.box === b.box || a.box.details == b.box.details)
    }

    private struct Details: Equatable, Sendable {
        let uri: ItemURI
        var tags: Tags
        var format: SoundFormat?
        var problem: String?
        let addedBy: String?
        let addedAtMs: Int64
        let trust: Trust
        let share: String?
        var alternatives: [ItemURI]
    }

    private final class Box: Sendable {
        let details: Details
        init(_ details: Details) { self.details = details }
    }
}
