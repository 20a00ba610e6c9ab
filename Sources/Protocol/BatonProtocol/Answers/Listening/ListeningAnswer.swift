public import BatonCore

extension ListeningAnswer {
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
}
