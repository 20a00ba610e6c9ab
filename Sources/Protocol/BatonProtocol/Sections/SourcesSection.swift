/// The accounts at servers, and how each of them is.
public struct SourcesSection: SectionContent {
    package static let section = Section.sources

    /// Whether a source can be used.
    public enum State: Equatable, Sendable {
        case ok
        /// It was not asked yet, or is being asked.
        case checking
        /// It cannot be used now; the hub asks it again by itself.
        case down
        /// Its owner has switched it off.
        case disabled
        /// Something is missing, so it is not asked.
        case unconfigured
        case unrecognised(String)

        private static let known: [State] = [.ok, .checking, .down, .disabled, .unconfigured]

        package init(name: String) { self = Self.known.first { $0.name == name } ?? .unrecognised(name) }

        public var name: String {
            switch self {
            case .ok: "ok"
            case .checking: "checking"
            case .down: "down"
            case .disabled: "disabled"
            case .unconfigured: "unconfigured"
            case .unrecognised(let name): name
            }
        }
    }

    /// The rows of a source that the hub keeps, so that it can be browsed while it is down.
    public struct Mirror: Equatable, Sendable {
        public var rows: Int
        /// When it was last finished; wall clock.
        public var atMs: Int64?
        /// How many rows were read so far, while they are being read.
        public var done: Int?
        /// How many there will be, where that is known.
        public var total: Int?

        package init(rows: Int, atMs: Int64? = nil, done: Int? = nil, total: Int? = nil) {
            self.rows = rows
            self.atMs = atMs
            self.done = done
            self.total = total
        }
    }

    /// The queue that the account keeps at its server.
    public struct Continue: Equatable, Sendable {
        public var title: String
        public var positionMs: Int
        /// When it was saved; wall clock.
        public var atMs: Int64?

        package init(title: String, positionMs: Int, atMs: Int64? = nil) {
            self.title = title
            self.positionMs = positionMs
            self.atMs = atMs
        }
    }

    /// One account.
    public struct Source: Equatable, Sendable {
        /// The word before the colon in the URIs of its items.
        public var name: String
        public var kind: String
        public var title: String
        public var state: State
        /// Since when it has been so; wall clock.
        public var sinceMs: Int64?
        /// Why it cannot be used.
        public var sentence: String?
        /// How long its server took to answer when it was last asked how it is.
        public var latencyMs: Int?
        /// What was done here and the server does not know yet.
        public var pending: Int
        /// Of that, what it refuses for good.
        public var refused: Int
        /// Plays that were sent again because the answer was lost: the server may have counted some of them twice.
        public var repeated: Int
        /// What it can do, in the words of the registry.
        public var abilities: [String]
        public var mirror: Mirror?
        public var saved: Continue?

        package init(
            name: String, kind: String, title: String, state: State, sinceMs: Int64? = nil, sentence: String? = nil,
            latencyMs: Int? = nil, pending: Int = 0, refused: Int = 0, repeated: Int = 0, abilities: [String] = [], mirror: Mirror? = nil,
            saved: Continue? = nil
        ) {
            self.name = name
            self.kind = kind
            self.title = title
            self.state = state
            self.sinceMs = sinceMs
            self.sentence = sentence
            self.latencyMs = latencyMs
            self.pending = pending
            self.refused = refused
            self.repeated = repeated
            self.abilities = abilities
            self.mirror = mirror
            self.saved = saved
        }
    }

    public var sources: [Source]
    /// How many are left out.
    public var more: Int

    package init(_ sources: [Source], more: Int = 0) {
        self.sources = sources
        self.more = more
    }
}
