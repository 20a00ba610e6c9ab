public import BatonCore

/// One row of a queue, as a list shows it.
public struct QueueRow: Equatable, Sendable {
    public var entry: EntryID
    public var uri: ItemURI?
    public var tags: Tags
    /// The name of the person who added it; `nil` if it is not known.
    public var addedBy: String?
    /// Milliseconds since 1970; 0 if it is not known.
    public var addedAtMs: Int64
    /// Other places of the track, best first.
    public var alternatives: [ItemURI]
    /// How much of the entry's item is kept on the hub's disk. `nil` when it is not kept, or in a row that the hub sends without being asked.
    public var kept: KeepMark?

    package init(
        entry: EntryID, uri: ItemURI?, tags: Tags, addedBy: String? = nil, addedAtMs: Int64 = 0, alternatives: [ItemURI] = [],
        kept: KeepMark? = nil
    ) {
        self.entry = entry
        self.uri = uri
        self.tags = tags
        self.addedBy = addedBy
        self.addedAtMs = addedAtMs
        self.alternatives = alternatives
        self.kept = kept
    }
}
