/// An account at a server whose music the hub plays, and the kinds of servers.
///
/// An account is stored without its secrets: those are in files that only the hub's user may read, or in systemd credentials, and are passed to the
/// connector when it is made.
package struct SourceAccount: Equatable, Sendable {
    /// The name of the source in the URIs of its items. It never changes, so that lists and history stay valid.
    package var name: String
    /// The name that people read, which may change.
    package var title: String
    /// The name of its `SourceKind`.
    package var kind: String
    /// The address of the server with its base path.
    package var url: String
    /// False for an account that is stored and not used.
    package var isEnabled: Bool
    /// Options of its kind, such as `quality`.
    package var options: [String: String]
    /// True for an account in `batond.conf`, which commands cannot change.
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

/// The secrets that a server requires. They are never logged, answered, or part of a URL that leaves the hub.
package struct SourceSecrets: Equatable, Sendable {
    /// The name of the user at the server.
    package var user: String?
    /// The password, where the kind of server needs one.
    package var password: String?
    /// A key in place of user and password, where the kind knows one.
    package var apiKey: String?
    /// The one-time code of a user with a second factor. It is valid once within half a minute, so it is never stored.
    package var code: String?

    package init(user: String? = nil, password: String? = nil, apiKey: String? = nil, code: String? = nil) {
        self.user = user
        self.password = password
        self.apiKey = apiKey
        self.code = code
    }

    /// The secrets without the one-time code.
    package var stored: SourceSecrets { SourceSecrets(user: user, password: password, apiKey: apiKey) }
}

/// One kind of server: the options of its accounts, and its connector.
package struct SourceKind: Sendable {
    /// An option of accounts of this kind.
    package struct Option: Equatable, Sendable {
        /// The name of the option, as people write it before the value.
        package var name: String
        /// A sentence about the option for help.
        package var about: String
        /// The value of an account that does not name it.
        package var usual: String
        /// The problem of a value as a sentence; `nil` for a valid value.
        package var complaint: @Sendable (String) -> String?

        package init(name: String, about: String, usual: String, complaint: @escaping @Sendable (String) -> String?) {
            self.name = name
            self.about = about
            self.usual = usual
            self.complaint = complaint
        }

        /// Equality without `complaint`, because functions cannot be compared.
        package static func == (a: Option, b: Option) -> Bool { a.name == b.name && a.about == b.about && a.usual == b.usual }
    }

    /// The word for commands and the configuration.
    package var name: String
    /// The name that people know.
    package var title: String
    /// The options that accounts of this kind have.
    package var options: [Option]
    /// The missing secrets as a sentence; `nil` when these are enough to try.
    package var missing: @Sendable (SourceSecrets) -> String?
    /// Makes the connector of an account; throws for an account that it cannot work with.
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

/// The parts that a connector of an account is made from.
package struct SourceParts: Sendable {
    /// Stores new secrets in place of those that the connector was made with.
    package typealias Renewal = @Sendable (SourceSecrets) async throws(SourceFault) -> Void

    /// The way to call servers, with limits of time and size.
    package var http: any HTTPCalling
    /// The clock, for expiry and for times in requests.
    package var clock: Clock
    package var log: Log
    /// Cryptographically random bytes, for salts.
    package var random: @Sendable (_ count: Int) -> [UInt8]
    /// The MD5 hash, which some servers ask for; `nil` on a machine that does not compute it.
    package var md5: @Sendable (_ bytes: [UInt8]) -> [UInt8]?
    /// The facts that the connector stores across restarts.
    package var memory: any SourceMemory
    /// `nil` for an account that is only being tested, and for one whose secrets are in files of its owner.
    package var renew: Renewal?
    /// The way to open WebSockets; `nil` where there is none.
    package var sockets: (any WebSocketClient)?

    package init(
        http: any HTTPCalling, clock: Clock, log: Log, random: @escaping @Sendable (_ count: Int) -> [UInt8],
        md5: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]?, memory: any SourceMemory, renew: Renewal? = nil,
        sockets: (any WebSocketClient)? = nil
    ) {
        self.http = http
        self.clock = clock
        self.log = log
        self.random = random
        self.md5 = md5
        self.memory = memory
        self.renew = renew
        self.sockets = sockets
    }
}

/// Facts that one source has found out and stores across restarts, such as the login method that its server accepts. No secrets.
package protocol SourceMemory: Sendable {
    /// The fact of this name; `nil` where none is stored.
    func value(_ name: String) -> String?
    /// Stores a fact, or removes it with `nil`. A fact that cannot be stored is found out anew after a restart.
    func store(_ value: String?, _ name: String)
}
