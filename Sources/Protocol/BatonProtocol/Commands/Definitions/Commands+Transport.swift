public import BatonCore

/// Commands about what plays in a room.
extension Commands {
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

extension Commands.Play: HubRequest {
    /// Plays something new.
    public init(_ uri: ItemURI, index: Int? = nil, positionMs: Int? = nil) { self.init(uri: uri, index: index, positionMs: positionMs) }

    package var request: Request {
        guard let uri else { return .room(.play(entry: entry, positionMs: positionMs)) }
        return .play(uri: uri, index: index ?? 0, positionMs: positionMs ?? 0)
    }
}
