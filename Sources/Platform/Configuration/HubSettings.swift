/// Everything that can be set about a hub, resolved: one plain value, passed on as such.
package import BatonCore
package import BatonProtocol
package import BatonSeams

package struct HubSettings: Equatable, Sendable {
    package var name = ""
    package var data = ""
    package var socket = ""
    package var listen: [ListenAddress] = []
    package var tls: [ListenAddress] = []
    package var lanPlain: LANPlain = .off
    /// Pages elsewhere that may steer this hub, as browsers write it in `Origin`.
    package var origins: [String] = []
    /// Reverse proxies that are believed when they say from which address a request came.
    package var trustedProxies = TrustedProxies()
    package var radioDirectory: String?
    /// Where the radio is recorded; below the music when it is not said.
    package var recordings: String?
    /// Minutes of each station that are kept on disk; 0 keeps none.
    package var radioBuffer = 60
    /// Bytes of tracks of other servers that may be kept on disk; 0 keeps none.
    package var cacheLimit: Int64 = 2 << 30
    /// Bytes of sound that was encoded for listening devices; 0 keeps none, and then nothing is encoded for them.
    package var transcodeCache: Int64 = 1 << 30
    /// How many items are encoded at once.
    package var transcodes = 2
    /// Bytes of tracks that people want to have here, until a command sets another limit.
    package var keepLimit: Int64 = 20 << 30
    /// Bytes a second of tracks that are fetched to be kept; 0: as many as come.
    package var keepRate: Int64 = 8 << 20
    /// What is kept plays from its copy also while its server can be used.
    package var preferKept = true
    /// Servers that may be called although they are on this machine or in a private network.
    package var allowedHosts: [AllowedHost] = []
    package var music: [String] = []
    /// Where an admin elsewhere may add folders to the library.
    package var libraryRoots: [String] = []
    package var audio: AudioOutput = .auto
    /// Outputs that rooms may be given beside the devices that the player lists.
    package var allowedOutputs: [AudioOutput] = []
    package var discovery = true
    package var log: Log.Level = .notice
    package var startLevel = 0
    package var startMax = 0
    package var ceiling = 0
    /// The levels between which guests may turn the volume; not at all, if `nil`.
    package var guestVolume: ClosedRange<Int>?
    /// Whether people may make accounts, and who is let in without one.
    package var signUp = UserPolicy.SignUp.approve
    package var guests = GuestEntry.off
    /// How long a guest may stay; 0: until it signs out.
    package var guestHours = 12
    /// How much sound that was made from prompts is kept.
    package var generationStore: Int64 = 2 << 30
    /// Whether guests may have music made from prompts.
    package var guestPrompts = GuestPrompts()
    package var demo = true
    package var searchDeadlineMs = 800
    /// Whether the apps of music rooms are served.
    package var musicroom = false
    /// Whether these may send passwords without encryption from other machines.
    package var musicroomPlain = false
    package var metrics = MetricsSetting.off
    package var limits = WireLimits.standard
    /// Accounts at servers, whose music the hub plays.
    package var sources: [ConfiguredSource] = []
    /// What makes music, as the file names it.
    package var workers: [WorkerDescription] = []
    /// Where the service manager has put the secrets that it passes to the hub.
    package var credentials: String?
    /// What this machine is called on its network, in lower case.
    package var hostNames: [String] = []

    package init() {}

    /// A hub that shall take whatever port is free does so here too, and one that shall have none has none.
    var usualTLS: [String] {
        if listen.isEmpty { return ["none"] }
        return listen.allSatisfy { $0.port == 0 } ? listen.map(\.text) : ["[::]:9443"]
    }
}

package struct ListenAddress: Equatable, Sendable {
    /// A name or an address, without the brackets of IPv6.
    package var host: String
    /// 0 takes any free port.
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `127.0.0.1:9442`, `[::1]:9442`, `localhost:9442`; `*` is every IPv4 address.
    package init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        self.init(host: host == "*" ? "0.0.0.0" : String(host), port: port)
    }

    package var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// Only this machine can reach it.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}

/// What a remote elsewhere may do over the plain port, before there is pairing.
package enum LANPlain: String, Sendable, CaseIterable {
    case off, listener, guest, remote
}

/// Whether the hub lets people in without an account, and as what.
package enum GuestEntry: String, Sendable, CaseIterable {
    case off, listener, guest
}

package enum AudioOutput: Equatable, Sendable {
    case auto, null
    /// Writes what would be heard into a file.
    case pcm(String)
    /// A device by the player's own name for it.
    case device(String)

    package init?(text: String) {
        switch text {
        case "": return nil
        case "auto": self = .auto
        case "null": self = .null
        case "pcm:": return nil
        case _ where text.hasPrefix("pcm:"): self = .pcm(String(text.dropFirst(4)))
        default: self = .device(text)
        }
    }

    package var text: String {
        switch self {
        case .auto: "auto"
        case .null: "null"
        case .pcm(let path): "pcm:" + path
        case .device(let name): name
        }
    }
}
