public import BatonCore

/// What is current in a room. Absent from the state when nothing is.
public struct NowSection: SectionContent {
    package static let section = Section.now

    public var entry: EntryID
    /// `nil` when the name is too long for the section.
    public var uri: ItemURI?
    public var tags: Tags
    public var format: SoundFormat?
    /// Since when it has been current, on the hub's clock. A press that is older meant something else.
    public var sinceUs: Int64?

    package init(entry: EntryID, uri: ItemURI?, tags: Tags, format: SoundFormat? = nil, sinceUs: Int64? = nil) {
        self.entry = entry
        self.uri = uri
        self.tags = tags
        self.format = format
        self.sinceUs = sinceUs
    }
}
