/// The command that lets held work go on.
extension Commands {
    public struct Resume: HubRequest {
        public static let definition = CommandDefinition(.hubResume)

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self { Self() }

        package var request: Request { .hubResume }
    }
}
