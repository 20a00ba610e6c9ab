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

    /// A station that is recorded, or will be.
    public struct Recorded: Equatable, Sendable {
        /// How a recording is getting on.
        public enum State: String, CaseIterable, Equatable, Sendable {
            /// It waits for its time.
            case due
            case on
            /// The station cannot be heard or the disk is full; it is tried again.
            case trouble
        }

        public var recording: Recording
        public var state: State
        /// What is written now.
        public var song: String?
        /// Why it is in trouble.
        public var sentence: String?

        package init(_ recording: Recording, _ state: State, song: String? = nil, sentence: String? = nil) {
            self.recording = recording
            self.state = state
            self.song = song
            self.sentence = sentence
        }
    }

    /// How many stations are kept, presets among them.
    public var count: Int
    public var presets: [Preset]
    /// Presets that had no room here.
    public var more: Int
    /// In the order in which they were made.
    public var recorded: [Recorded]

    package init(count: Int, _ presets: [Preset], more: Int = 0, recorded: [Recorded] = []) {
        self.count = count
        self.presets = presets
        self.more = more
        self.recorded = recorded
    }
}
