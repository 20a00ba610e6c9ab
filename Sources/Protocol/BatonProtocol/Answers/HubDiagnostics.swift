/// What a hub stands on, as `hub.info` tells whoever wants to know what is wrong: where it listens,
/// who sees it, how its journal does, whether anything can be heard, and how far it can go.
public struct HubDiagnostics: Equatable, Sendable {
    /// Whether other machines can see the hub.
    public struct Discovery: Equatable, Sendable {
        public enum State: String, Sendable, CaseIterable {
            /// It was asked not to be seen.
            case off
            /// Only its own machine may connect, so there is nobody to tell.
            case alone
            /// Names are being claimed.
            case registering
            case published
            /// There is no way to say so; `problem` tells why.
            case failed
        }

        public var state: State
        /// The name it is seen under.
        public var name: String?
        /// A sentence.
        public var problem: String?

        package init(_ state: State, name: String? = nil, problem: String? = nil) {
            self.state = state
            self.name = name
            self.problem = problem
        }
    }

    public struct Journal: Equatable, Sendable {
        /// Told to `admin` alone.
        public var path: String?
        public var schema: Int
        public var bytes: Int
        /// What has not been moved into the file yet.
        public var logBytes: Int
        /// How much room its disk has left.
        public var freeBytes: Int?
        /// The hub's wall clock at the last write; `nil` before the first one.
        public var writtenMs: Int64?
        /// Why nothing can be written just now: a sentence.
        public var problem: String?
        /// What happened when it was opened, such as a damaged file that was set aside.
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

    public struct Audio: Equatable, Sendable {
        /// What `--audio` says.
        public var choice: String
        /// Whether libmpv is there; `nil` while nobody has looked.
        public var hasPlayer: Bool?

        package init(choice: String, hasPlayer: Bool? = nil) {
            self.choice = choice
            self.hasPlayer = hasPlayer
        }
    }

    public struct Limits: Equatable, Sendable {
        public var connections: Int
        /// How many files and connections the process may have open.
        public var descriptors: Int

        package init(connections: Int, descriptors: Int) {
            self.connections = connections
            self.descriptors = descriptors
        }
    }

    /// What the encrypted port shows to whoever comes.
    public struct Certificate: Equatable, Sendable {
        /// The hash of the hub's root, in pairs of digits, as `/trust` has people compare it.
        public var root: String
        /// The hosts and addresses it vouches for.
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

    /// The same without what only the hub's owner needs to know.
    package var withoutPlaces: HubDiagnostics {
        var copy = self
        copy.journal.path = nil
        copy.library = library?.withoutPlaces
        copy.memory = nil
        copy.listen.removeAll { $0.hasPrefix("unix:") }
        return copy
    }
}

// MARK: Wire

extension HubDiagnostics {
    func encode(into writer: inout JSONWriter) {
        writer.object { diagnostics in
            diagnostics.member("listen", listen)
            diagnostics.member("lanPlain", lanPlain)
            diagnostics.member("discovery", object: discovery.encodeMembers)
            diagnostics.member("journal", object: journal.encodeMembers)
            diagnostics.member("audio", object: audio.encodeMembers)
            diagnostics.member("limits", object: limits.encodeMembers)
            if let certificate { diagnostics.member("certificate", object: certificate.encodeMembers) }
            if let library { diagnostics.member("library", object: library.encodeMembers) }
            if let memory { diagnostics.member("memory", object: memory.encodeMembers) }
        }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        listen = try fields.texts("listen") ?? []
        lanPlain = try fields.text("lanPlain") ?? "off"
        discovery = try Discovery(from: fields.required("discovery", fields.fields("discovery")))
        journal = try Journal(from: fields.required("journal", fields.fields("journal")))
        audio = try Audio(from: fields.required("audio", fields.fields("audio")))
        limits = try Limits(from: fields.required("limits", fields.fields("limits")))
        certificate = try fields.fields("certificate").map { (fields) throws(ProtocolFault) in try Certificate(from: fields) }
        library = try fields.fields("library").map { (fields) throws(ProtocolFault) in try Library(from: fields) }
        memory = try fields.fields("memory").map(Memory.init(from:))
    }
}

extension HubDiagnostics.Discovery {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("st", state.rawValue)
        part.member("name", ifPresent: name)
        part.member("problem", ifPresent: problem)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        // A way from a newer hub that this one has no word for is as good as not known.
        state = State(rawValue: try fields.text("st") ?? "") ?? .registering
        name = try fields.text("name")
        problem = try fields.text("problem")
    }
}

extension HubDiagnostics.Journal {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("path", ifPresent: path)
        part.member("schema", schema)
        part.member("bytes", bytes)
        part.member("logBytes", logBytes)
        part.member("freeBytes", ifPresent: freeBytes)
        part.member("writtenMs", ifPresent: writtenMs)
        part.member("problem", ifPresent: problem)
        part.member("notices", notices)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        path = try fields.text("path")
        schema = try fields.count("schema") ?? 0
        bytes = try fields.count("bytes") ?? 0
        logBytes = try fields.count("logBytes") ?? 0
        freeBytes = try fields.count("freeBytes")
        writtenMs = try fields.int64("writtenMs")
        problem = try fields.text("problem")
        notices = try fields.texts("notices") ?? []
    }
}

extension HubDiagnostics.Audio {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("choice", choice)
        if let hasPlayer { part.member("player", hasPlayer) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        choice = try fields.text("choice") ?? ""
        hasPlayer = try fields.bool("player")
    }
}

extension HubDiagnostics.Limits {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("connections", connections)
        part.member("descriptors", descriptors)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        connections = try fields.count("connections") ?? 0
        descriptors = try fields.count("descriptors") ?? 0
    }
}

extension HubDiagnostics.Certificate {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("root", root)
        part.member("names", names)
        part.member("untilMs", untilMs)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        root = try fields.text("root") ?? ""
        names = try fields.texts("names") ?? []
        untilMs = try fields.int64("untilMs") ?? 0
    }
}
