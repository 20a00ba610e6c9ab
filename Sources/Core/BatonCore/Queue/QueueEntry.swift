/// One entry of a queue.
///
/// Copies share the details in an immutable box. A queue is copied with each edit, and copying ten thousand entries then costs one reference count
/// each instead of a dozen.
package struct QueueEntry: Equatable, Sendable {
    /// The id, which stays with the entry wherever it moves.
    package let id: EntryID
    private var box: Box

    package init(
        id: EntryID, uri: ItemURI, tags: Tags, format: SoundFormat? = nil, problem: String? = nil, addedBy: String? = nil,
        addedAtMs: Milliseconds = 0, trust: Trust = .itemsOnly, share: String? = nil, alternatives: [ItemURI] = []
    ) {
        self.id = id
        box = Box(
            Details(
                uri: uri, tags: tags, format: format, problem: problem, addedBy: addedBy, addedAtMs: addedAtMs, trust: trust, share: share,
                alternatives: Self.bounded(alternatives, of: uri)))
    }

    /// The item that the entry plays; `alternatives` has other sources of it.
    package var uri: ItemURI { box.details.uri }

    /// The tags that clients see, which the player's report may complete.
    package var tags: Tags {
        get { box.details.tags }
        set { change { $0.tags = newValue } }
    }

    /// The sound format, known once the entry has played.
    package var format: SoundFormat? {
        get { box.details.format }
        set { change { $0.format = newValue } }
    }

    /// The reason why the last attempt to play the entry failed.
    package var problem: String? {
        get { box.details.problem }
        set { change { $0.problem = newValue } }
    }

    /// The name of the person who added it; `nil` where it is not known, and for entries of the hub itself.
    package var addedBy: String? { box.details.addedBy }
    /// Wall clock time.
    package var addedAtMs: Milliseconds { box.details.addedAtMs }
    /// The trust of the client that added the entry: the item is looked up again each time it plays, with the same rights.
    package var trust: Trust { box.details.trust }
    /// The guest whose share of the queue this entry counts towards: stored, and never sent to a remote.
    package var share: String? { box.details.share }

    /// Other sources of the same track, best first, for when `uri` cannot play. At most `mostAlternatives`, and never `uri` itself.
    package var alternatives: [ItemURI] {
        get { box.details.alternatives }
        set {
            let bounded = Self.bounded(newValue, of: uri)
            change { $0.alternatives = bounded }
        }
    }

    /// Number of other sources that are stored.
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

    /// Equality by content. Copies that share their box are found equal at once.
    package static func == (a: QueueEntry, b: QueueEntry) -> Bool {
        a.id == b.id && (a.box === b.box || a.box.details == b.box.details)
    }

    private struct Details: Equatable, Sendable {
        let uri: ItemURI
        var tags: Tags
        var format: SoundFormat?
        var problem: String?
        let addedBy: String?
        let addedAtMs: Milliseconds
        let trust: Trust
        let share: String?
        var alternatives: [ItemURI]
    }

    private final class Box: Sendable {
        let details: Details
        init(_ details: Details) { self.details = details }
    }
}
