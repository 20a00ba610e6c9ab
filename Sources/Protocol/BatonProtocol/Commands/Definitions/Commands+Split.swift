public import BatonCore

extension Commands {
    /// Keeps two items apart that were shown as one track, or lets them be one row again.
    public struct Split: HubRequest {
        public static let kind = RequestKind.libSplit
        public var uri: ItemURI
        public var from: ItemURI
        public var isOn: Bool

        public init(_ uri: ItemURI, from: ItemURI, _ isOn: Bool = true) {
            self.uri = uri
            self.from = from
            self.isOn = isOn
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("uri", p.uri("uri", value?.uri)), from: try p.required("from", p.uri("from", value?.from)),
                try p.bool("on", value?.isOn, default: true))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard uri != from else { throw faults.fault("from", "from must name another item than uri.") }
        }

        package var request: Request { .library(.split(uri, from: from, isOn)) }
    }
}
