public import BatonCore

/// One row of a queue, as a list shows it.
public struct QueueRow: Equatable, Sendable {
    /// The id of the entry in its queue; one item can be in a queue several times.
    public var entry: EntryID
    /// The item; `nil` in a row from the wire if its URI was too long to be sent.
    public var uri: ItemURI?
    /// Title, artists and length for display, as they were when the entry was added or last looked up.
    public var tags: Tags
    /// The name of the person who added it; `nil` if it is not known.
    public var addedBy: String?
    /// Milliseconds since 1970; 0 if it is not known.
    public var addedAtMs: Milliseconds
    /// Other sources of the track, best first.
    public var alternatives: [ItemURI]
    /// The state of the offline copy of the entry's item. `nil` if there is none, or in a row that the hub sends without a request.
    public var kept: KeepMark?

    package init(
        entry: EntryID, uri: ItemURI?, tags: Tags, addedBy: String? = nil, addedAtMs: Milliseconds = 0, alternatives: [ItemURI] = [],
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

extension ItemRow {
    private static let mostVariants = 8
    private static let mostVariantBytes = 1024

    /// The first variants, as many as fit on a page for a small device.
    package static func shownVariants(_ variants: [ItemURI]) -> [ItemURI] {
        var left = mostVariantBytes
        return Array(
            variants.prefix(mostVariants).prefix { variant in
                left -= variant.text.utf8.count
                return left >= 0
            })
    }
}
