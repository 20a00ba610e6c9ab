public import BatonCore

/// The answer to `clips.list`, and to `clips.start` with the new session alone.
public struct ClipSessions: Equatable, Sendable {
    public var rows: [ClipSessionRow]
    public var more: Int

    package init(_ rows: [ClipSessionRow], more: Int = 0) {
        self.rows = rows
        self.more = more
    }
}

/// A session as lists show it.
public struct ClipSessionRow: Equatable, Sendable {
    /// One of three choices of clips.
    public struct Scene: Equatable, Sendable {
        public var name: String
        /// Of its loop, once there is one.
        public var durationMs: Int?
        /// Why its loop is not made of the clips that it has.
        public var sentence: String?

        package init(name: String, durationMs: Int? = nil, sentence: String? = nil) {
            self.name = name
            self.durationMs = durationMs
            self.sentence = sentence
        }
    }

    /// The loop of a layer in a scene.
    public struct Clip: Equatable, Sendable {
        public var layer: PromptLine.Layer
        /// From 1.
        public var scene: Int
        public var bars: Int
        public var job: String
        public var state: JobRow.State
        /// It is in the loop of its scene.
        public var isHeard: Bool
        /// It stays out of the loop.
        public var isOff: Bool

        package init(
            layer: PromptLine.Layer, scene: Int, bars: Int, job: String, state: JobRow.State, isHeard: Bool = false, isOff: Bool = false
        ) {
            self.layer = layer
            self.scene = scene
            self.bars = bars
            self.job = job
            self.state = state
            self.isHeard = isHeard
            self.isOff = isOff
        }
    }

    public var session: String
    public var name: String
    public var prompt: String
    /// Who makes its clips.
    public var worker: String?
    /// Who began it.
    public var author: String?
    /// Wall clock.
    public var startedMs: Int64
    /// What a queue plays: the loop of the scene that is chosen.
    public var uri: ItemURI
    public var tempo: Int?
    public var key: String?
    /// The scene that plays, from 1.
    public var scene: Int
    public var scenes: [Scene]
    public var clips: [Clip]

    package init(
        session: String, name: String, prompt: String, worker: String? = nil, author: String? = nil, startedMs: Int64, uri: ItemURI,
        tempo: Int? = nil, key: String? = nil, scene: Int = 1, scenes: [Scene], clips: [Clip] = []
    ) {
        self.session = session
        self.name = name
        self.prompt = prompt
        self.worker = worker
        self.author = author
        self.startedMs = startedMs
        self.uri = uri
        self.tempo = tempo
        self.key = key
        self.scene = scene
        self.scenes = scenes
        self.clips = clips
    }
}

extension ClipSessions: CommandAnswer {
    public static let form: ReplyData.Form? = .clips

    public init?(_ data: ReplyData?) {
        guard case .clips(let value)? = data else { return nil }
        self = value
    }
}
