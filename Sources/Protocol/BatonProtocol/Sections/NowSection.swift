public import BatonCore

/// The current entry of a room. Absent from the state if there is none.
public struct NowSection: SectionContent {
    package static let section = Section.now

    public var entry: EntryID
    /// `nil` if the URI is too long for the section.
    public var uri: ItemURI?
    public var tags: Tags
    public var format: SoundFormat?
    /// Time since which it is current, on the hub's clock. An older key press was meant for another entry.
    public var sinceUs: Int64?
    /// The room, device or server with which the same person also listens to it. The room's places do not count until a person has
    /// chosen where to continue.
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
