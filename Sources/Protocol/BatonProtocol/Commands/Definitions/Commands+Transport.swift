public import BatonCore

/// Commands about what plays in a room.
extension Commands {
    /// Goes on, goes to a place, or plays something new.
    public struct Play: HubRequest {
        public static let kind = RequestKind.play
        public var entry: EntryID?
        public var positionMs: Int?
        /// Replaces the queue by the tracks that this stands for.
        public var uri: ItemURI?
        /// Which of those plays, counted from 0.
        public var index: Int?

        public init(entry: EntryID? = nil, positionMs: Int? = nil) {
            self.entry = entry
            self.positionMs = positionMs
        }

        public init(_ uri: ItemURI, index: Int? = nil, positionMs: Int? = nil) {
            self.uri = uri
            self.index = index
            self.positionMs = positionMs
        }

        private init(_ entry: EntryID?, _ uri: ItemURI?, _ index: Int?, _ positionMs: Int?) {
            self.entry = entry
            self.uri = uri
            self.index = index
            self.positionMs = positionMs
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.entry("entry", value?.entry), try p.uri("uri", value?.uri),
                try p.int("index", value?.index, in: 0...(p.limits.queueLength - 1)),
                try p.int("posMs", value?.positionMs, in: 0...ParameterRange.longestMs))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            if uri == nil, index != nil { throw faults.fault("index", "index counts within what uri names, and uri is missing.") }
            if uri != nil, entry != nil { throw faults.fault("entry", "Name an entry of the queue or a uri, not both.") }
        }

        /// With a uri it replaces the queue, and would do so twice.
        public var needsKey: Bool { uri != nil }

        package var request: Request {
            guard let uri else { return .room(.play(entry: entry, positionMs: positionMs)) }
            return .play(uri: uri, index: index ?? 0, positionMs: positionMs ?? 0)
        }
    }

    /// Plays an entry of the queue.
    public struct Jump: HubRequest {
        public static let kind = RequestKind.jump
        public var entry: EntryID

        public init(to entry: EntryID) { self.entry = entry }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(to: try p.required("entry", p.entry("entry", value?.entry)))
        }

        package var request: Request { .room(.jump(entry)) }
    }

    /// Plays on from a position in the entry.
    public struct Seek: HubRequest {
        public static let kind = RequestKind.seek
        public var entry: EntryID?
        public var positionMs: Int

        public init(entry: EntryID? = nil, toMs positionMs: Int) {
            self.entry = entry
            self.positionMs = positionMs
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                entry: try p.entry("entry", value?.entry),
                toMs: try p.required("posMs", p.int("posMs", value?.positionMs, in: 0...ParameterRange.longestMs)))
        }

        package var request: Request { .room(.seek(entry: entry, toMs: positionMs)) }
    }
}

extension Commands.Pause: HubRequest { package var request: Request { .room(.pause) } }
extension Commands.Stop: HubRequest { package var request: Request { .room(.stop) } }
extension Commands.Toggle: HubRequest { package var request: Request { want == .playing ? .room(.play()) : .room(.pause) } }
extension Commands.Next: HubRequest { package var request: Request { .room(.next(from: from, count: count)) } }
extension Commands.Previous: HubRequest { package var request: Request { .room(.previous(from: from, restartMs: restartMs)) } }
extension Commands.SeekBy: HubRequest { package var request: Request { .room(.skip(entry: entry, byMs: ms)) } }
