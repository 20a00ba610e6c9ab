public import BatonCore

/// Commands about the chapters of what plays.
extension Commands {
    /// Goes to the beginning of a chapter: of one by its number, or some further on or back.
    public struct BookChapter: HubRequest {
        public static let kind = RequestKind.bookChapter
        public private(set) var entry: EntryID?
        public private(set) var number: Int?
        public private(set) var steps: Int?

        public init(entry: EntryID? = nil, _ number: Int) { (self.entry, self.number) = (entry, number) }
        public init(entry: EntryID? = nil, by steps: Int) { (self.entry, self.steps) = (entry, steps) }

        private init(_ entry: EntryID?, _ number: Int?, _ steps: Int?) {
            self.entry = entry
            self.number = number
            self.steps = steps
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.entry("entry", value?.entry), try p.int("n", value?.number, in: 1...ChapterList.most),
                try p.int("by", value?.steps, in: -ChapterList.most...ChapterList.most))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard (number == nil) == (steps == nil) else { return }
            throw faults.fault("n", "Say which chapter in one way: by n or by.")
        }

        package var request: Request { .room(.chapter(entry: entry, number.map { .number($0) } ?? .by(steps ?? 0))) }
    }

    /// How the speech of a room sounds.
    public struct BookSet: HubRequest {
        public static let kind = RequestKind.bookSet
        /// Quiet speech is raised, and its peaks are limited.
        public var voice: Bool?
        /// Silences are left out, where the hub has the item on a disk.
        public var trim: Bool?

        public init(voice: Bool? = nil, trim: Bool? = nil) { (self.voice, self.trim) = (voice, trim) }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(voice: try p.bool("voice", value?.voice), trim: try p.bool("trim", value?.trim))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            if voice == nil, trim == nil { throw faults.fault("voice", "Say what is to change: voice or trim.") }
        }

        package var request: Request { .room(.setSpeech(raisesVoice: voice, trims: trim)) }
    }
}
