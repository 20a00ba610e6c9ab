/// How important a line of the log is.
extension HubLog {
    /// From the least important one.
    public enum Level: String, CaseIterable, Sendable {
        case trace, debug, notice, warning, error
    }
}

/// The lines that `hub.log` is asked for.
public struct HubLogQuery: Equatable, Sendable {
    public var level: HubLog.Level
    /// Only lines behind this one, from the oldest; without it the newest.
    public var after: Int?
    public var limit: Int

    /// What is asked for at once by one who follows the log.
    package static let mostOfFollowers = 200

    public init(_ level: HubLog.Level = .trace, after: Int? = nil, limit: Int = 100) {
        self.level = level
        self.after = after
        self.limit = limit
    }
}
