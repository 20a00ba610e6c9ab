public import BatonCore

/// Commands about a station's past: to go back in it, to see its titles, and to save them.
extension Commands {
    /// Goes back by a length, to a time, or to a title.
    public struct RadioBack: HubRequest {
        public static let kind = RequestKind.radioBack
        public private(set) var entry: EntryID?
        public private(set) var ms: Int?
        public private(set) var atMs: Int?
        public private(set) var title: Int?

        public init(entry: EntryID? = nil, byMs ms: Int) { (self.entry, self.ms) = (entry, ms) }
        public init(entry: EntryID? = nil, toMs atMs: Int) { (self.entry, self.atMs) = (entry, atMs) }
        public init(entry: EntryID? = nil, title: Int) { (self.entry, self.title) = (entry, title) }

        private init(_ entry: EntryID?, _ ms: Int?, _ atMs: Int?, _ title: Int?) {
            self.entry = entry
            self.ms = ms
            self.atMs = atMs
            self.title = title
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.entry("entry", value?.entry), try p.int("ms", value?.ms, in: -ParameterRange.longestMs...ParameterRange.longestMs),
                try p.int("at", value?.atMs, in: 0...ParameterRange.revision), try p.int("n", value?.title, in: 0...ParameterRange.revision)
            )
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard [ms, atMs, title].count(where: { $0 != nil }) != 1 else { return }
            throw faults.fault("ms", "Say where to in one way: by ms, at or n.")
        }

        package var request: Request {
            if let atMs { return .room(.rewind(entry: entry, to: .received(atMs: Int64(atMs)))) }
            return .room(.rewind(entry: entry, to: title.map { .title($0) } ?? .by(ms: ms ?? 0)))
        }
    }

    /// Lists the titles that are kept of a station.
    public struct RadioTitles: HubRequest {
        public typealias Answer = TitleList

        public static let kind = RequestKind.radioTitles
        public var station: ItemURI?
        public var before: Int?
        public var limit: Int

        public init(of station: ItemURI? = nil, before: Int? = nil, limit: Int = 80) {
            self.station = station
            self.before = before
            self.limit = limit
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                of: try p.uri("uri", value?.station), before: try p.int("before", value?.before, in: 0...ParameterRange.revision),
                limit: try p.int("limit", value?.limit, in: 1...100, default: 80))
        }

        package var request: Request { .radio(.titles(station, before: before, limit: limit)) }
    }

    /// Saves a title as a recording.
    public struct RadioSave: HubRequest {
        public static let kind = RequestKind.radioSave
        public var station: ItemURI?
        public var title: Int

        public init(_ title: Int, of station: ItemURI? = nil) {
            self.title = title
            self.station = station
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("n", p.int("n", value?.title, in: 0...ParameterRange.revision)), of: try p.uri("uri", value?.station))
        }

        package var request: Request { .radio(.save(station, title: title)) }
    }
}

extension Commands.RadioLive: HubRequest { package var request: Request { .room(.rewind(entry: entry, to: .live)) } }
