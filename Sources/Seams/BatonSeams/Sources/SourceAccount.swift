/// An account at a server whose music the hub plays, and what kinds of servers there are.
///
/// An account is kept without its secrets: those are in files that only the hub's user may read, or in systemd credentials,
/// and are passed to the connector when it is made.
package struct SourceAccount: Equatable, Sendable {
    /// The source's own word, in the URIs of its items. It stays what it was at first, so that lists and history stay right.
    package var name: String
    /// What people read. May be changed.
    package var title: String
    /// The name of its `SourceKind`.
    package var kind: String
    /// Where the server is, with the path below which it answers.
    package var url: String
    package var isEnabled: Bool
    /// Settings of its kind, such as `quality`.
    package var options: [String: String]
    /// It stands in `batond.conf`, so commands do not change it.
    package var isConfigured: Bool

    package init(
        name: String, title: String? = nil, kind: String, url: String, isEnabled: Bool = true, options: [String: String] = [:],
        isConfigured: Bool = false
    ) {
        self.name = name
        self.title = title ?? name
        self.kind = kind
        self.url = url
        self.isEnabled = isEnabled
        self.options = options
        self.isConfigured = isConfigured
    }
}

/// What a server asks for. Never logged, never answered, never part of a URL that leaves the hub.
package struct SourceSecrets: Equatable, Sendable {
    package var user: String?
    package var password: String?
    package var apiKey: String?
    /// The second factor of a user who has one. It is good for half a minute and once, so it is never kept.
    package var code: String?

    package init(user: String? = nil, password: String? = nil, apiKey: String? = nil, code: String? = nil) {
        self.user = user
        self.password = password
        self.apiKey = apiKey
        self.code = code
    }

    /// Without what is good for one time.
    package var kept: SourceSecrets { SourceSecrets(user: user, password: password, apiKey: apiKey) }
}

/// One kind of server: what an account of it needs, and how its connector is made.
package struct SourceKind: Sendable {
    /// A choice that an account of this kind has.
    package struct Option: Equatable, Sendable {
        package var name: String
        package var about: String
        package var usual: String
        /// Says in a sentence what is wrong with a value; `nil` when nothing is.
        package var complaint: @Sendable (String) -> String?

        package init(name: String, about: String, usual: String, complaint: @escaping @Sendable (String) -> String?) {
            self.name = name
            self.about = about
            self.usual = usual
            self.complaint = complaint
        }

        package static func == (a: Option, b: Option) -> Bool { a.name == b.name && a.about == b.about && a.usual == b.usual }
    }

    package var name: String
    package var title: String
    package var options: [Option]
    /// Says in a sentence what is missing; `nil` when these are enough to try.
    package var missing: @Sendable (SourceSecrets) -> String?
    package var make: @Sendable (SourceAccount, SourceSecrets, SourceParts) throws(SourceFault) -> any Connector

    package init(
        name: String, title: String, options: [Option] = [], missing: @escaping @Sendable (SourceSecrets) -> String?,
        make: @escaping @Sendable (SourceAccount, SourceSecrets, SourceParts) throws(SourceFault) -> any Connector
    ) {
        self.name = name
        self.title = title
        self.options = options
        self.missing = missing
        self.make = make
    }
}

/// What a connector of an account is given.
package struct SourceParts: Sendable {
    /// Keeps other secrets in the place of those that the connector was made with.
    package typealias Renewal = @Sendable (SourceSecrets) async throws(SourceFault) -> Void

    package var http: any HTTPCalling
    package var clock: Clock
    package var log: Log
    /// Cryptographically random bytes, for salts.
    package var random: @Sendable (_ count: Int) -> [UInt8]
    package var memory: any SourceMemory
    /// `nil` for an account that is only tried out, and for one whose secrets stand in files of its owner.
    package var renew: Renewal?
    package var sockets: (any WebSocketClient)?

    package init(
        http: any HTTPCalling, clock: Clock, log: Log, random: @escaping @Sendable (_ count: Int) -> [UInt8], memory: any SourceMemory,
        renew: Renewal? = nil, sockets: (any WebSocketClient)? = nil
    ) {
        self.http = http
        self.clock = clock
        self.log = log
        self.random = random
        self.memory = memory
        self.renew = renew
        self.sockets = sockets
    }
}

/// Small facts that one source found out and keeps across restarts, such as the login that its server accepts. No secrets.
package protocol SourceMemory: Sendable {
    func value(_ name: String) -> String?
    func keep(_ value: String?, _ name: String)
}
