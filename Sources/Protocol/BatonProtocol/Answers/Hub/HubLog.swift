/// The answer to `hub.log`: lines of the hub's log, the oldest first.
public struct HubLog: Equatable, Sendable {
    /// From the least important one.
    public enum Level: String, CaseIterable, Sendable {
        case trace, debug, notice, warning, error
    }

    public var lines: [Line]
    /// The number of the last line that was searched; later lines have higher numbers.
    public var newest: Int
    /// Number of lines after `after` that the hub no longer holds.
    public var missed: Int

    package init(_ lines: [Line], newest: Int, missed: Int = 0) {
        self.lines = lines
        self.newest = newest
        self.missed = missed
    }
}

/// A request for lines of the log.
public struct HubLogQuery: Equatable, Sendable {
    public var level: HubLog.Level
    /// Only lines after this one, oldest first; without it the newest lines.
    public var after: Int?
    public var limit: Int

    /// Number of lines in one request of a client that follows the log.
    package static let mostOfFollowers = 200

    public init(_ level: HubLog.Level = .trace, after: Int? = nil, limit: Int = 100) {
        self.level = level
        self.after = after
        self.limit = limit
    }
}
