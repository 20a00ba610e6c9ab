public import BatonJSON

/// All limits of the protocol with their defaults. The hub's configuration may change each of them; decoders and sessions take them as an
/// argument and have no limits of their own.
public struct WireLimits: Equatable, Sendable {
    public var json = JSONLimits.standard

    /// Longest client text frame before `welcome`, and after it.
    public var frameBeforeWelcome = 4 * 1024
    public var clientFrame = 16 * 1024
    public var hubFrame = 64 * 1024
    public var binaryFrame = 20 * 1024
    public var messagesBeforeWelcome = 8

    public var connections = 1024
    public var connectionsPerDevice = 4
    /// Limit for each address of other machines.
    public var unauthenticatedPerAddress = 4

    public var commandsPerSecond = 20
    public var commandBurst = 40
    /// Number of refusals within `floodWindowMs`, each before its `afterMs` had passed, that closes with 4429.
    public var floodRejections = 200
    public var floodWindowMs = 10_000
    public var commandsInFlight = 16
    /// Frames of any kind. Frames above the rate wait unread; more than `floodRejections` of them within
    /// `floodWindowMs` close with 4429.
    public var framesPerSecond = 100
    public var frameBurst = 500

    /// Number of wrong keys that one address may send at once, and limit for all together. The same number is allowed again each minute.
    public var wrongKeysPerAddress = 10
    public var wrongKeysInAll = 100

    public var rooms = 32
    public var queueAdd = 500
    public var queueLength = 10_000
    /// Limit of a guest's waiting entries in a queue.
    public var guestEntries = 5
    public var queueWindow = 100
    /// Rows of one page of a library, a playlist or a history.
    public var pageRows = 100
    /// Bytes of one page: three quarters of the longest frame, which leaves room for the reply around it.
    public var pageBytes: Int { hubFrame * 3 / 4 }
    public var playlistLength = 10_000
    public var playlistOps = 100

    /// Number of malformed frames within `strikeWindowMs` that closes with 4400.
    public var strikes = 3
    public var strikeWindowMs = 60_000

    public var helloWithinMs = 5000
    public var authWithinMs = 10_000
    public var pairWithinMs = 180_000
    public var messageWithinMs = 10_000

    /// Silence of a remote before it is pinged, and before its connection is closed; a watch may be silent for longer.
    public var pingMs = 20_000
    public var silenceMs = 45_000
    public var watchPingMs = 60_000
    public var watchSilenceMs = 150_000

    /// Time without activity of a person after which a remote is shown as idle.
    public var idleAfterMs = 300_000

    public var commandTTLMs = 5000

    /// Buffer of one connection for control messages, and time that its socket may refuse writes.
    public var controlLane = 64 * 1024
    public var unwritableMs = 10_000
    public var pendingQueueOps = 50
    /// Limit of rows whose texts are sent in a queue operation.
    public var inlineRows = 4

    public init() {}

    public static let standard = WireLimits()
}
