public import BatonCore

/// The answer to `job.start`: the job, and the item that it becomes.
public struct StartedJob: Equatable, Sendable {
    public var job: String
    /// It stays this one when the piece is ready.
    public var uri: ItemURI

    package init(job: String, uri: ItemURI) {
        self.job = job
        self.uri = uri
    }
}

/// A job as lists show it.
public struct JobRow: Equatable, Sendable {
    /// The steps of a job. `unrecognised` comes from a newer hub.
    public enum State: Equatable, Sendable {
        case approval, offline, submitting, queued, running, fetching, ready, failed, cancelled
        case unrecognised(String)

        private static let known: [State] = [
            .approval, .offline, .submitting, .queued, .running, .fetching, .ready, .failed, .cancelled,
        ]

        package init(name: String) { self = Self.known.first { $0.name == name } ?? .unrecognised(name) }

        public var name: String { if case .unrecognised(let name) = self { name } else { "\(self)" } }

        public var isOver: Bool { self == .ready || self == .failed || self == .cancelled }
    }

    public var job: String
    public var uri: ItemURI
    public var state: State
    /// 0 to 100.
    public var percent: Int
    /// The title of the piece, or its prompt until it has one.
    public var title: String
    /// Who asked for it.
    public var author: String?
    public var worker: String
    /// Wall clock.
    public var startedMs: Int64
    public var endedMs: Int64?
    /// How long making it takes by the estimate, from its beginning. `nil` before the worker has made one of this model.
    public var estimateMs: Int?
    /// When it will be ready by the estimate, on the hub's clock, while it is being made.
    public var dueUs: Int64?
    /// How long the finished piece is.
    public var durationMs: Int?
    /// What the worker is doing, or why the job failed or waits.
    public var sentence: String?
    /// What was asked for, where the piece has a title of its own.
    public var prompt: String?
    /// Its sound is never removed to make room.
    public var isKept: Bool
    /// By which the composer makes the piece again; in `job.list` only.
    public var recipe: String?

    package init(
        job: String, uri: ItemURI, state: State, percent: Int, title: String, author: String? = nil, worker: String, startedMs: Int64,
        endedMs: Int64? = nil, estimateMs: Int? = nil, dueUs: Int64? = nil, durationMs: Int? = nil, sentence: String? = nil,
        prompt: String? = nil, isKept: Bool = false
    ) {
        self.job = job
        self.uri = uri
        self.state = state
        self.percent = percent
        self.title = title
        self.author = author
        self.worker = worker
        self.startedMs = startedMs
        self.endedMs = endedMs
        self.estimateMs = estimateMs
        self.dueUs = dueUs
        self.durationMs = durationMs
        self.sentence = sentence
        self.prompt = prompt
        self.isKept = isKept
    }
}

/// The answer to `job.list`, the newest first.
public struct JobRows: Equatable, Sendable {
    public var rows: [JobRow]
    public var more: Int

    package init(_ rows: [JobRow], more: Int = 0) {
        self.rows = rows
        self.more = more
    }
}

/// The answer to `gen.parse`.
public struct ParsedPrompt: Equatable, Sendable {
    public var line: PromptLine

    package init(_ line: PromptLine) { self.line = line }
}

extension StartedJob: CommandAnswer {
    public static let form: ReplyData.Form? = .startedJob

    public init?(_ data: ReplyData?) {
        guard case .startedJob(let value)? = data else { return nil }
        self = value
    }
}

extension JobRows: CommandAnswer {
    public static let form: ReplyData.Form? = .jobs

    public init?(_ data: ReplyData?) {
        guard case .jobs(let value)? = data else { return nil }
        self = value
    }
}

extension ParsedPrompt: CommandAnswer {
    public static let form: ReplyData.Form? = .parsedPrompt

    public init?(_ data: ReplyData?) {
        guard case .parsedPrompt(let value)? = data else { return nil }
        self = value
    }
}
