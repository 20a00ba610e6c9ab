/// Commands about music that is made from prompts.
public enum JobRequest: Equatable, Sendable {
    /// Reads a line without carrying it out, for the worker of this name.
    case parse(String, worker: String?)
    case start(JobStart)
    case cancel(String)
    /// Makes one anew that failed or was cancelled.
    case retry(String)
    /// Lets one be made that waits for approval.
    case approve(String)
    /// Keeps the sound of a piece for good, or no longer.
    case keep(String, Bool)
    case list(JobQuery)
}

/// Which jobs are listed.
public struct JobQuery: Equatable, Sendable {
    public var which: JobFilter
    public var from: Int
    public var limit: Int

    public static let most = 100

    public init(_ which: JobFilter = .all, from: Int = 0, limit: Int = most) {
        self.which = which
        self.from = from
        self.limit = limit
    }
}

/// What is to be made, by whom, and what becomes of it in the queue.
public struct JobStart: Equatable, Sendable {
    /// A line as `PromptLine` reads it.
    public var text: String
    /// `nil` is the hub's usual worker.
    public var worker: String?
    public var target: JobTarget

    public init(_ text: String, worker: String? = nil, target: JobTarget = .end) {
        self.text = text
        self.worker = worker
        self.target = target
    }
}
