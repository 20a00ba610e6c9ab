/// The answer to `queue.save`: how much of the queue its server keeps now.
public struct QueueSaved: Equatable, Sendable {
    public var saved: Int
    /// Entries that are not of this source, or more than a server keeps.
    public var passed: Int

    package init(saved: Int, passed: Int) {
        self.saved = saved
        self.passed = passed
    }
}

extension QueueSaved: CommandAnswer {
    public static let form: ReplyData.Form? = .queueSaved

    public init?(_ data: ReplyData?) {
        guard case .queueSaved(let value)? = data else { return nil }
        self = value
    }
}
