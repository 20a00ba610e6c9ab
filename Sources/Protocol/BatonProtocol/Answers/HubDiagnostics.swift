/// The condition of a hub, as `hub.info` tells an admin who looks for a fault: its listeners, its announcement, its journal,
/// its sound and its limits.
public struct HubDiagnostics: Equatable, Sendable {
    /// Whether other machines can see the hub.
    public struct Discovery: Equatable, Sendable {
        /// The progress of announcing the hub.
        public enum State: String, Sendable, CaseIterable {
            /// The configuration switches the announcement off.
            case off
            /// Only its own machine may connect, so the hub is not announced.
            case alone
            /// Names are being claimed.
            case registering
            case published
            /// It cannot be announced; `problem` says why.
            case failed
        }

        public var state: State
        /// The name under which it is announced.
        public var name: String?
        /// A sentence.
        public var problem: String?

        package init(_ state: State, name: String? = nil, problem: String? = nil) {
            self.state = state
            self.name = name
            self.problem = problem
        }
    }

    /// The file that keeps queues, keys and answers.
    public struct Journal: Equatable, Sendable {
        /// Told to `admin` alone.
        public var path: String?
        public var schema: Int
        public var bytes: Int
        /// Bytes of the write-ahead log, which are not in the file yet.
        public var logBytes: Int
        /// Free bytes on its disk.
        public var freeBytes: Int?
        /// The hub's wall clock at the last write; `nil` before the first one.
        public var writtenMs: Int64?
        /// Why nothing can be written just now: a sentence.
        public var problem: String?
        /// Sentences from opening it, such as about a damaged file that was set aside.
        public var notices: [String]

        package init(
            path: String? = nil, schema: Int, bytes: Int, logBytes: Int = 0, freeBytes: Int? = nil, writtenMs: Int64? = nil,
            problem: String? = nil, notices: [String] = []
        ) {
            self.path = path
            self.schema = schema
            self.bytes = bytes
            self.logBytes = logBytes
            self.freeBytes = freeBytes
            self.writtenMs = writtenMs
            self.problem = problem
            self.notices = notices
        }
    }

    /// The sound of the rooms.
    public struct Audio: Equatable, Sendable {
        /// The value of `--audio`.
        public var choice: String
        /// Whether libmpv is there; `nil` before the first attempt to load it.
        public var hasPlayer: Bool?

        package init(choice: String, hasPlayer: Bool? = nil) {
            self.choice = choice
            self.hasPlayer = hasPlayer
        }
    }

    /// How many connections and descriptors are in use and possible.
    public struct Limits: Equatable, Sendable {
        public var connections: Int
        /// How many files and connections the process may have open.
        public var descriptors: Int

        package init(connections: Int, descriptors: Int) {
            self.connections = connections
            self.descriptors = descriptors
        }
    }

    /// The certificate of the encrypted port.
    public struct Certificate: Equatable, Sendable {
        /// The hash of the hub's root, in pairs of digits, as `/trust` has people compare it.
        public var root: String
        /// The hosts and addresses that it is valid for.
        public var names: [String]
        /// The hub's wall clock when it ends.
        public var untilMs: Int64

        package init(root: String, names: [String], untilMs: Int64) {
            self.root = root
            self.names = names
            self.untilMs = untilMs
        }
    }

    /// As `--hub` takes them; the socket is told to `admin` alone.
    public var listen: [String]
    /// What other machines may do: `off`, or a role.
    public var lanPlain: String
    public var discovery: Discovery
    public var journal: Journal
    public var audio: Audio
    public var limits: Limits
    /// `nil` where there is no encrypted port.
    public var certificate: Certificate?
    public var library: Library?
    /// Told to `admin` alone.
    public var memory: Memory?

    package init(
        listen: [String], lanPlain: String, discovery: Discovery, journal: Journal, audio: Audio, limits: Limits,
        certificate: Certificate? = nil, library: Library? = nil, memory: Memory? = nil
    ) {
        self.listen = listen
        self.lanPlain = lanPlain
        self.discovery = discovery
        self.journal = journal
        self.audio = audio
        self.limits = limits
        self.certificate = certificate
        self.library = library
        self.memory = memory
    }

    /// The same without paths and other details for admins.
    package var withoutPlaces: HubDiagnostics {
        var copy = self
        copy.journal.path = nil
        copy.library = library?.withoutPlaces
        copy.memory = nil
        copy.listen.removeAll { $0.hasPrefix("unix:") }
        return copy
    }
}
