/// How important a line of the log is.
extension HubLog {
    /// From the least important one.
    public enum Level: String, CaseIterable, Sendable {
        case trace, debug, notice, warning, error
    }
}

/// A request for lines of the log.
public struct HubLogQuery: Equatable, Sendable {
    /// The lowest level that is sent; less important lines are left out.
    public var level: HubLog.Level
    /// Only lines after this one, oldest first; without it the newest lines.
    public var after: Int?
    /// Largest number of lines in the answer.
    public var limit: Int

    /// Number of lines in one request of a client that follows the log.
    package static let mostOfFollowers = 200

    public init(_ level: HubLog.Level = .trace, after: Int? = nil, limit: Int = 100) {
        self.level = level
        self.after = after
        self.limit = limit
    }
}
