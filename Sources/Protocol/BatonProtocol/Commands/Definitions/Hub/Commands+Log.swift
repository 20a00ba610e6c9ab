
extension HubLog: CommandAnswer {
    public static let form: ReplyData.Form? = .hubLog

    public init?(_ data: ReplyData?) {
        guard case .hubLog(let value)? = data else { return nil }
        self = value
    }
}

extension Commands.ReadLog: HubRequest {
    public typealias Answer = HubLog
    public init(_ query: HubLogQuery) { self.init(level: query.level, after: query.after, limit: query.limit) }
    package var request: Request { .hubLog(HubLogQuery(level, after: after, limit: limit)) }
}
