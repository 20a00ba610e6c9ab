import BatonKernel
import BatonProtocol
package import BatonSeams

/// The parts that accounts at servers need: the kinds of servers, and the stores of accounts and secrets.
package struct AccountParts: Sendable {
    /// An account of the settings, with its secrets.
    package struct Configured: Sendable {
        var account: SourceAccount
        var secrets: SourceSecrets
        /// The reason why it cannot be used; `nil` when it can.
        var lack: String?

        package init(_ account: SourceAccount, _ secrets: SourceSecrets, lack: String? = nil) {
            self.account = account
            self.secrets = secrets
            self.lack = lack
        }
    }

    var kinds: [SourceKind]
    var storage: any AccountStorage
    var secrets: any SecretStorage
    var configured: [Configured]
    private let http: any HTTPCalling
    private let sockets: (any WebSocketClient)?
    private let clock: Clock
    private let log: Log
    private let random: @Sendable (_ count: Int) -> [UInt8]
    private let md5: @Sendable (_ bytes: [UInt8]) -> [UInt8]?

    package init(
        kinds: [SourceKind], storage: any AccountStorage, secrets: any SecretStorage, configured: [Configured] = [],
        http: any HTTPCalling, sockets: (any WebSocketClient)? = nil, clock: Clock, log: Log,
        random: @escaping @Sendable (_ count: Int) -> [UInt8], md5: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]?
    ) {
        self.kinds = kinds
        self.storage = storage
        self.secrets = secrets
        self.configured = configured
        self.http = http
        self.sockets = sockets
        self.clock = clock
        self.log = log
        self.random = random
        self.md5 = md5
    }

    func kind(_ name: String) -> SourceKind? { kinds.first { $0.name == name } }

    func sourceParts(_ memory: any SourceMemory, renew: SourceParts.Renewal? = nil) -> SourceParts {
        SourceParts(
            http: http, clock: clock, log: log, random: random, md5: md5, memory: memory, renew: renew, sockets: sockets)
    }
}

extension SourceKind {
    /// The kind with the options that accounts of every kind have.
    package var withCommonOptions: SourceKind {
        var kind = self
        kind.options.append(
            Option(name: "metered", about: "Whether its network is paid by use, so that kept copies play instead.", usual: "no") {
                ["yes", "no"].contains($0) ? nil : "The option metered is yes or no."
            })
        return kind
    }

    /// The ways to sign in that this kind of server accepts, as `source.list` names them.
    var logins: [String] {
        let ways = [("password", SourceSecrets(user: "a", password: "b")), ("apiKey", SourceSecrets(apiKey: "c"))]
        return ways.filter { missing($0.1) == nil }.map(\.0)
    }

    /// The fault in the options of an account; `nil` when they are valid.
    package func complaint(about chosen: [String: String]) -> String? {
        for (name, value) in chosen.sorted(by: { $0.key < $1.key }) {
            guard let option = options.first(where: { $0.name == name }) else {
                let known = options.map(\.name).joined(separator: ", ")
                return known.isEmpty
                    ? "Servers of the kind “\(self.name)” have no options." : "There is no option “\(name)”. There is \(known)."
            }
            if let complaint = option.complaint(value) { return complaint }
        }
        return nil
    }
}

extension SourceAccount {
    /// Scheme, host and port, for which secrets are given.
    var place: String {
        String(url.lowercased().split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/"))
    }

    /// The host and the port, for people.
    var host: String { place.split(separator: "/").last.map(String.init) ?? place }
}

extension SourceLogin {
    var secrets: SourceSecrets { SourceSecrets(user: user, password: password, apiKey: apiKey, code: code) }
}

extension SourceAbout.Abilities {
    /// The names of abilities in the section `src`.
    private static let names: [(SourceAbout.Abilities, String)] = [
        (.browse, "browse"), (.search, "search"), (.pictures, "pictures"), (.lyrics, "lyrics"), (.favourites, "favourites"),
        (.stars, "stars"), (.plays, "plays"), (.progress, "progress"), (.nowPlaying, "playing"), (.similar, "similar"),
        (.mirror, "mirror"), (.download, "download"), (.savedQueue, "queue"), (.lists, "lists"), (.rescan, "rescan"), (.upload, "upload"),
        (.sessions, "sessions"), (.rooms, "rooms"),
    ]

    var words: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
}
