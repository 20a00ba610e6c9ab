public import BatonCore

/// `radio`: the presets in their order. What a room's station plays now is told by `now`.
public struct RadioSection: SectionContent {
    package static let section = Section.radio

    /// A station on one of the buttons.
    public struct Preset: Equatable, Sendable {
        public var uri: ItemURI
        public var title: String
        /// The id of its picture.
        public var art: String?

        package init(_ uri: ItemURI, _ title: String, art: String? = nil) {
            self.uri = uri
            self.title = title
            self.art = art
        }
    }

    /// How many stations are kept, presets among them.
    public var count: Int
    public var presets: [Preset]
    /// Presets that had no room here.
    public var more: Int

    package init(count: Int, _ presets: [Preset], more: Int = 0) {
        self.count = count
        self.presets = presets
        self.more = more
    }
}
