/// The command by which the hub's log is read.
extension Commands {
    public struct ReadLog: HubRequest {
        public typealias Answer = HubLog

        public static let kind = RequestKind.hubLog
        public var query: HubLogQuery

        public init(_ query: HubLogQuery = HubLogQuery()) { self.query = query }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                HubLogQuery(
                    try p.choice("level", value?.query.level, default: .trace),
                    after: try p.int("after", value?.query.after, in: 0...((1 << 53) - 1)),
                    limit: try p.int("limit", value?.query.limit, in: 1...HubLogQuery.most, default: HubLogQuery.usual)))
        }

        package var request: Request { .hubLog(query) }
    }
}

extension HubLog: CommandAnswer {
    public static let form: ReplyData.Form? = .hubLog

    public init?(_ data: ReplyData?) {
        guard case .hubLog(let value)? = data else { return nil }
        self = value
    }
}
