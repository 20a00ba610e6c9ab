public import BatonCore

/// The answer to `listen.here`: where the room is heard, and where a device gets what it plays.
public struct ListeningAnswer: Equatable, Sendable {
    /// The line that is heard at the room's output.
    public struct Line: Equatable, Sendable {
        public var entry: EntryID
        public var positionUs: Int64
        /// In the hub's clock.
        public var atUs: Int64
        /// Permille, 0 while it stands still.
        public var rate: Int

        public init(entry: EntryID, positionUs: Int64, atUs: Int64, rate: Int) {
            self.entry = entry
            self.positionUs = positionUs
            self.atUs = atUs
            self.rate = rate
        }
    }

    /// One entry, and where its bytes are.
    public struct Item: Equatable, Sendable {
        public var entry: EntryID
        public var media: ItemAnswer.Media?
        /// Where the entry begins and ends in these bytes, if it is a part of them.
        public var startMs: Int?
        public var endMs: Int?
        /// Why it cannot be had.
        public var sentence: String?

        public init(_ entry: EntryID, media: ItemAnswer.Media? = nil, startMs: Int? = nil, endMs: Int? = nil, sentence: String? = nil) {
            self.entry = entry
            self.media = media
            self.startMs = startMs
            self.endMs = endMs
            self.sentence = sentence
        }
    }

    /// `nil` while nothing is current.
    public var line: Line?
    /// The current entry and the one after it; `nil` where they were not asked for.
    public var items: [Item]?

    public init(line: Line? = nil, items: [Item]? = nil) {
        self.line = line
        self.items = items
    }
}

extension ListeningAnswer: CommandAnswer {
    public static let form: ReplyData.Form? = .listening

    public init?(_ data: ReplyData?) {
        guard case .listening(let value)? = data else { return nil }
        self = value
    }
}
