/// Commands about the queue that an account keeps at its server.
extension Commands {
    /// Saves what the room's queue has of a source at its server.
    public struct QueueSave: HubRequest {
        public typealias Answer = QueueSaved

        public static let kind = RequestKind.queueSave
        public var source: String

        public init(at source: String) {
            self.source = source
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(at: try p.required("source", p.sourceName("source", value?.source)))
        }

        package var request: Request { .savedQueue(.save(at: source)) }
    }

    /// Goes on with the queue that a server keeps.
    public struct QueueContinue: HubRequest {
        public static let kind = RequestKind.queueContinue
        public var source: String

        public init(from source: String) {
            self.source = source
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(from: try p.required("source", p.sourceName("source", value?.source)))
        }

        package var request: Request { .savedQueue(.goOn(from: source)) }
    }
}
