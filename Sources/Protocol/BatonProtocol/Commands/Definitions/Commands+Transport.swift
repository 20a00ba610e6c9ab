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

    /// Pauses playback; the position stays.
    public struct Pause: HubRequest {
        public static let kind = RequestKind.pause
        public init() {}
        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self { Self() }
        package var request: Request { .room(.pause) }
    }

    /// Stops playback.
    public struct Stop: HubRequest {
        public static let kind = RequestKind.stop
        public init() {}
        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self { Self() }
        package var request: Request { .room(.stop) }
    }

    /// Plays or pauses. It names the wanted state, so that two people who press it do not undo each other.
    public struct Toggle: HubRequest {
        /// The state that is asked for.
        public enum Want: String, CaseIterable, Sendable { case playing, paused }

        public static let kind = RequestKind.toggle
        public var want: Want

        public init(_ want: Want) { self.want = want }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("want", p.choice("want", value?.want)))
        }

        package var request: Request { want == .playing ? .room(.play()) : .room(.pause) }
    }

    /// Skips to an entry further on.
    public struct Next: HubRequest {
        public static let kind = RequestKind.next
        /// The entry that the person was looking at.
        public var from: EntryID?
        public var count: Int

        public init(from: EntryID? = nil, count: Int = 1) {
            self.from = from
            self.count = count
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(from: try p.entry("from", value?.from), count: try p.int("n", value?.count, in: 1...100, default: 1))
        }

        package var request: Request { .room(.next(from: from, count: count)) }
    }

    /// Goes back, to the start of the entry or to the one before it.
    public struct Previous: HubRequest {
        public static let kind = RequestKind.prev
        public var from: EntryID?
        /// Further in than this it starts the entry again.
        public var restartMs: Int

        public init(from: EntryID? = nil, restartMs: Int = 3000) {
            self.from = from
            self.restartMs = restartMs
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                from: try p.entry("from", value?.from),
                restartMs: try p.int("restartMs", value?.restartMs, in: 0...600_000, default: 3000))
        }

        package var request: Request { .room(.previous(from: from, restartMs: restartMs)) }
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

    /// Moves the position by a length of time.
    public struct SeekBy: HubRequest {
        public static let kind = RequestKind.seekBy
        public var entry: EntryID?
        /// Backwards where negative.
        public var ms: Int

        public init(entry: EntryID? = nil, ms: Int) {
            self.entry = entry
            self.ms = ms
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                entry: try p.entry("entry", value?.entry),
                ms: try p.required("ms", p.int("ms", value?.ms, in: -ParameterRange.longestMs...ParameterRange.longestMs)))
        }

        package var request: Request { .room(.skip(entry: entry, byMs: ms)) }
    }
}
