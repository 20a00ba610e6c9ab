public import BatonCore

/// Commands about the queue of a room.
extension Commands {
    /// Adds items to the queue.
    public struct QueueAdd: HubRequest {
        public static let kind = RequestKind.queueAdd
        public var uris: [ItemURI]
        public var place: Place

        public init(_ uris: [ItemURI], at place: Place = .end) {
            self.uris = uris
            self.place = place
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("uris", p.uris("uris", value?.uris)), at: try p.place(value?.place))
        }

        package var request: Request { .add(uris, at: place) }
    }

    /// Moves entries to another place in the queue.
    public struct QueueMove: HubRequest {
        public static let kind = RequestKind.queueMove
        public var ids: [EntryID]
        /// Behind an entry.
        public var place: Place

        public init(_ ids: [EntryID], to place: Place) {
            self.ids = ids
            self.place = place
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("ids", p.entries("ids", value?.ids, most: p.limits.json.elements)), to: try p.anchor(value?.place))
        }

        package var request: Request { .room(.move(ids, to: place)) }
    }

    /// Empties the queue, or the part that is still to come.
    public struct QueueClear: HubRequest {
        public static let kind = RequestKind.queueClear
        /// The revision that the queue was seen at.
        public var base: Int
        public var keep: Keep

        public init(base: Int, keep: Keep = .none) {
            self.base = base
            self.keep = keep
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(base: try p.base(value?.base), keep: try p.choice("keep", value?.keep, default: .none))
        }

        package var request: Request { .room(.clear(base: base, keep: keep)) }
    }

    /// Puts other items in the place of the whole queue.
    public struct QueueReplace: HubRequest {
        public static let kind = RequestKind.queueReplace
        public var base: Int
        public var uris: [ItemURI]
        public var start: Int
        public var positionMs: Int

        public init(base: Int, _ uris: [ItemURI], start: Int = 0, positionMs: Int = 0) {
            self.base = base
            self.uris = uris
            self.start = start
            self.positionMs = positionMs
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                base: try p.base(value?.base), try p.required("uris", p.uris("uris", value?.uris)),
                start: try p.int("start", value?.start, in: 0...(p.limits.queueLength - 1), default: 0),
                positionMs: try p.int("posMs", value?.positionMs, in: 0...ParameterRange.longestMs, default: 0))
        }

        package var request: Request { .replace(base: base, uris, start: start, positionMs: positionMs) }
    }

    /// Shuffles the queue.
    public struct QueueShuffle: HubRequest {
        public static let kind = RequestKind.queueShuffle
        public var base: Int

        public init(base: Int) {
            self.base = base
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(base: try p.base(value?.base))
        }

        package var request: Request { .room(.shuffle(base: base)) }
    }
}

extension Commands.QueueWindow: HubRequest {
    public typealias Answer = QueuePage
    package var request: Request {
        if let ids { return .queueRows(ids) }
        return .queueWindow(from: from, count: count)
    }
}
extension Commands.QueueRemove: HubRequest { package var request: Request { .room(.remove(ids)) } }
extension Commands.QueueUndo: HubRequest { package var request: Request { .room(.undo) } }
extension Commands.QueueHistory: HubRequest {
    public typealias Answer = QueueHistoryList
    package var request: Request { .queueHistory }
}
