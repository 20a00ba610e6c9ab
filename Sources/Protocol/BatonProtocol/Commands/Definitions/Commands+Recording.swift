public import BatonCore

/// Commands about recordings of the radio.
extension Commands {
    /// Records a station, now or at a time, or ends a recording.
    public struct RadioRecord: HubRequest {
        public static let kind = RequestKind.radioRecord
        public private(set) var uri: ItemURI?
        public private(set) var atMs: Int?
        public private(set) var lengthMs: Int?
        public private(set) var repeats: Recording.Repeat?
        public private(set) var stopped: Int?

        public init(_ wish: RecordRequest) {
            switch wish {
            case .start(let uri, let atMs, let lengthMs, let repeats):
                self.uri = uri
                self.atMs = atMs.map { Int($0) }
                self.lengthMs = lengthMs
                self.repeats = repeats
            case .stop(let id): stopped = id
            }
        }

        private init(_ uri: ItemURI?, _ atMs: Int?, _ lengthMs: Int?, _ repeats: Recording.Repeat?, _ stopped: Int?) {
            self.uri = uri
            self.atMs = atMs
            self.lengthMs = lengthMs
            self.repeats = repeats
            self.stopped = stopped
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.uri("uri", value?.uri), try p.int("at", value?.atMs, in: 0...ParameterRange.revision),
                try p.int("for", value?.lengthMs, in: Recording.lengthsMs), try p.choice("every", value?.repeats),
                try p.int("stop", value?.stopped, in: 1...ParameterRange.revision))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard (uri != nil) != (stopped != nil) else { throw faults.fault("uri", "Name a station, or a recording to stop.") }
            if stopped != nil, atMs != nil || lengthMs != nil || repeats != nil {
                throw faults.fault("stop", "A recording that is stopped has no time.")
            }
            if repeats != nil, atMs == nil || lengthMs == nil { throw faults.fault("every", "What repeats needs at and for.") }
            if atMs != nil, lengthMs == nil { throw faults.fault("for", "A recording at a time needs for: how long it is.") }
        }

        package var request: Request {
            if let stopped { return .radio(.record(.stop(stopped))) }
            return .radio(
                .record(.start(uri ?? ItemURI(""), atMs: atMs.map { Int64($0) }, lengthMs: lengthMs, repeats: repeats)))
        }
    }
}
