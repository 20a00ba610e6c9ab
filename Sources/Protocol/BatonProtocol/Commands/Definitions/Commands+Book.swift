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
}

extension Commands.BookSet: HubRequest { package var request: Request { .room(.setSpeech(raisesVoice: voice, trims: trim)) } }
