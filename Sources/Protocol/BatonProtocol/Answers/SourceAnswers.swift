public import BatonCore

/// The answer to `source.list`: the accounts, and the kinds of servers that the hub knows.
public struct SourceList: Equatable, Sendable {
    /// One account, without its secrets. How it is, the section `src` says.
    public struct Row: Equatable, Sendable {
        public var name: String
        public var kind: String
        public var title: String
        public var isEnabled: Bool
        /// It stands in the hub's settings, so commands do not change it.
        public var isConfigured: Bool
        /// Where the server is, and the options of its kind; for admins only.
        public var url: String?
        public var options: [String: String]
        /// The user's name; for admins only.
        public var user: String?

        package init(
            name: String, kind: String, title: String, isEnabled: Bool = true, isConfigured: Bool = false, url: String? = nil,
            options: [String: String] = [:], user: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.title = title
            self.isEnabled = isEnabled
            self.isConfigured = isConfigured
            self.url = url
            self.options = options
            self.user = user
        }
    }

    /// A kind of server, and the choices that its accounts have.
    public struct Kind: Equatable, Sendable {
        /// A choice, what it is about, and what holds without one.
        public struct Option: Equatable, Sendable {
            public var name: String
            public var about: String
            /// What holds where nothing was chosen.
            public var usual: String

            package init(name: String, about: String, usual: String) {
                self.name = name
                self.about = about
                self.usual = usual
            }
        }

        public var name: String
        public var title: String
        /// The ways to sign in: `password` with a user, `apiKey`.
        public var login: [String]
        public var options: [Option]

        package init(name: String, title: String, login: [String] = [], options: [Option] = []) {
            self.name = name
            self.title = title
            self.login = login
            self.options = options
        }
    }

    public var rows: [Row]
    public var kinds: [Kind]

    package init(_ rows: [Row], kinds: [Kind]) {
        self.rows = rows
        self.kinds = kinds
    }
}

/// The answer to `source.test`: how the account is now.
public struct SourceTested: Equatable, Sendable {
    public var state: SourcesSection.State
    /// Why it cannot be used.
    public var sentence: String?
    /// How long its server took to answer.
    public var latencyMs: Int?
    /// What a person can type to be let in: `code`. A word from a newer hub is kept as it is.
    public var asks: String?

    package init(state: SourcesSection.State, sentence: String? = nil, latencyMs: Int? = nil, asks: String? = nil) {
        self.state = state
        self.sentence = sentence
        self.latencyMs = latencyMs
        self.asks = asks
    }
}

/// The answer to `source.pending`: what was done here and the server does not know yet, the oldest first.
public struct PendingNotes: Equatable, Sendable {
    /// One thing that was done here.
    public struct Row: Equatable, Sendable {
        /// `favourite`, `stars`, `played`, `playing`, `progress` or `queue`. A word from a newer hub is kept as it is.
        public var what: String
        public var uri: ItemURI?
        /// Wall clock.
        public var atMs: Int64
        public var tries: Int
        /// The server refuses it for good.
        public var isRefused: Bool
        /// What the last try came to.
        public var sentence: String?

        package init(what: String, uri: ItemURI?, atMs: Int64, tries: Int = 0, isRefused: Bool = false, sentence: String? = nil) {
            self.what = what
            self.uri = uri
            self.atMs = atMs
            self.tries = tries
            self.isRefused = isRefused
            self.sentence = sentence
        }
    }

    public var rows: [Row]
    /// How many wait in all.
    public var total: Int
    /// How many were forgotten.
    public var dropped: Int?

    package init(_ rows: [Row], total: Int, dropped: Int? = nil) {
        self.rows = rows
        self.total = total
        self.dropped = dropped
    }
}
