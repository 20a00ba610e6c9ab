/// How a worker is. `unrecognised` comes from a newer hub.
public enum WorkerState: Equatable, Sendable {
    /// It was not asked yet, or has not answered.
    case unknown
    case ready
    /// It answers, and makes noise in the place of music.
    case placeholder
    case down
    case unrecognised(String)

    private static let known: [WorkerState] = [.unknown, .ready, .placeholder, .down]

    package init(name: String) { self = Self.known.first { $0.name == name } ?? .unrecognised(name) }

    public var name: String { if case .unrecognised(let name) = self { name } else { "\(self)" } }
}

/// The answer to `worker.list`: what makes music from prompts.
public struct WorkerList: Equatable, Sendable {
    /// One worker, and how it is.
    public struct Row: Equatable, Sendable {
        public var name: String
        /// `built-in`, `program` or `http`. A word from a newer hub is kept as it is.
        public var kind: String
        public var isUsual: Bool
        /// It is built in or stands in the hub's settings, so commands do not change it.
        public var isConfigured: Bool
        public var health: WorkerTested
        /// When it was asked last; wall clock.
        public var polledMs: Int64?
        /// Where the service is; for admins only.
        public var url: String?
        /// The path of the program; for admins only.
        public var program: String?

        package init(
            name: String, kind: String, isUsual: Bool = false, isConfigured: Bool = false, health: WorkerTested, polledMs: Int64? = nil,
            url: String? = nil, program: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.isUsual = isUsual
            self.isConfigured = isConfigured
            self.health = health
            self.polledMs = polledMs
            self.url = url
            self.program = program
        }
    }

    public var rows: [Row]

    package init(_ rows: [Row]) { self.rows = rows }
}

/// The answer to `worker.test`: how a worker is.
public struct WorkerTested: Equatable, Sendable {
    public var state: WorkerState
    /// Why it cannot be used, or makes placeholders.
    public var sentence: String?
    /// How long it took to answer.
    public var latencyMs: Int?
    public var models: [String]
    /// The extensions of the protocol of workers that it has.
    public var extensions: [String]

    package init(
        state: WorkerState, sentence: String? = nil, latencyMs: Int? = nil, models: [String] = [], extensions: [String] = []
    ) {
        self.state = state
        self.sentence = sentence
        self.latencyMs = latencyMs
        self.models = models
        self.extensions = extensions
    }
}

extension WorkerList: CommandAnswer {
    public static let form: ReplyData.Form? = .workers

    public init?(_ data: ReplyData?) {
        guard case .workers(let value)? = data else { return nil }
        self = value
    }
}

extension WorkerTested: CommandAnswer {
    public static let form: ReplyData.Form? = .workerTested

    public init?(_ data: ReplyData?) {
        guard case .workerTested(let value)? = data else { return nil }
        self = value
    }
}
