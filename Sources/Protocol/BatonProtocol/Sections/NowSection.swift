public import BatonCore

/// The current entry of a room. Absent from the state if there is none.
public struct NowSection: SectionContent {
    package static let section = Section.now

    public var entry: EntryID
    /// `nil` if the URI is too long for the section.
    public var uri: ItemURI?
    public var tags: Tags
    public var format: SoundFormat?
    /// Since when it has been current, on the hub's clock. A press that is older meant another entry.
    public var sinceUs: Int64?
    /// Where the same person listens to it too: the room's places do not count until a person has said where to go on.
    public var elsewhere: Elsewhere?

    package init(
        entry: EntryID, uri: ItemURI?, tags: Tags, format: SoundFormat? = nil, sinceUs: Int64? = nil, elsewhere: Elsewhere? = nil
    ) {
        self.entry = entry
        self.uri = uri
        self.tags = tags
        self.format = format
        self.sinceUs = sinceUs
        self.elsewhere = elsewhere
    }
}
