/// The answer to `hub.log`: lines of the hub's log, the oldest first.
public struct HubLog: Equatable, Sendable {
    /// From the least important one.
    public enum Level: String, CaseIterable, Sendable {
        case trace, debug, notice, warning, error
    }

    public var lines: [Line]
    /// The number of the last line that was looked at; what comes later is behind it.
    public var newest: Int
    /// Lines behind the one that was named, which the hub does not hold any more.
    public var missed: Int

    package init(_ lines: [Line], newest: Int, missed: Int = 0) {
        self.lines = lines
        self.newest = newest
        self.missed = missed
    }
}

/// Which lines.
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
