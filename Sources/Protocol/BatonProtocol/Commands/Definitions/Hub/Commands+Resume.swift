/// The command that lets held work go on.
extension Commands {
    public struct Resume: HubRequest {
        public static let kind = RequestKind.hubResume

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self { Self() }

        package var request: Request { .hubResume }
    }
}
