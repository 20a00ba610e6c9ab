public import BatonCore
public import BatonJSON

/// All limits of the protocol with their defaults. The hub's configuration may change each of them; decoders and sessions take them as an
/// argument and have no limits of their own.
public struct WireLimits: Equatable, Sendable {
    /// Limits for the shape of every JSON text from a client.
    public var json = JSONLimits.standard

    /// Longest client text frame before `welcome`, and after it.
    public var frameBeforeWelcome = 4 * 1024
    /// Longest client text frame after `welcome`, in bytes.
    public var clientFrame = 16 * 1024
    /// Longest text frame from the hub, in bytes; a client may request a lower limit in `hello`.
    public var hubFrame = 64 * 1024
    /// Longest binary frame from a client, in bytes; the hub ignores the content of shorter ones.
    public var binaryFrame = 20 * 1024
    /// Number of messages of a connection before `welcome`, without those of a pairing.
    public var messagesBeforeWelcome = 8

    /// Number of connections to the hub; a further upgrade is answered with 503.
    public var connections = 1024
    /// Number of connections of one device from other machines.
    public var connectionsPerDevice = 4
    /// Limit for each address of other machines.
    public var unauthenticatedPerAddress = 4

    /// Commands of one connection in the long run; faster ones are refused with `rate_limited`.
    public var commandsPerSecond = 20
    /// Commands of one connection at once, after a time without any.
    public var commandBurst = 40
    /// Number of refusals within `floodWindowMs`, each before its `afterMs` had passed, that closes with 4429.
    public var floodRejections = 200
    /// Period in which refusals are counted.
    public var floodWindowMs: Milliseconds = 10_000
    /// Number of unanswered commands of one connection; a further one is refused with `busy`.
    public var commandsInFlight = 16
    /// Frames of any kind. Frames above the rate wait unread; more than `floodRejections` of them within
    /// `floodWindowMs` close with 4429.
    public var framesPerSecond = 100
    /// Frames at once, after a time without any; never less than twice `commandBurst`.
    public var frameBurst = 500

    /// Number of wrong keys that one address may send at once, and limit for all together. The same number is allowed again each minute.
    public var wrongKeysPerAddress = 10
    /// Limit for all addresses together, since an attacker may have many.
    public var wrongKeysInAll = 100

    /// Number of rooms that people share; private rooms do not count.
    public var rooms = 32
    /// Number of items that one command may name, for example `queue.add`.
    public var queueAdd = 500
    /// Number of entries in a queue, and of tracks to which the items of one command may resolve.
    public var queueLength = 10_000
    /// Limit of a guest's waiting entries in a queue.
    public var guestEntries = 5
    /// Number of rows that a client may read or follow in a queue at once.
    public var queueWindow = 100
    /// Rows of one page of a library, a playlist or a history.
    public var pageRows = 100
    /// Bytes of one page: three quarters of the longest frame, which leaves room for the reply around it.
    public var pageBytes: Int { hubFrame * 3 / 4 }
    /// Number of tracks to which the items of one edit of a playlist may resolve.
    public var playlistLength = 10_000
    /// Number of steps in one edit of a playlist.
    public var playlistOps = 100

    /// Number of malformed frames within `strikeWindowMs` that closes with 4400.
    public var strikes = 3
    /// Period in which malformed frames are counted.
    public var strikeWindowMs: Milliseconds = 60_000

    /// Time for `hello` after a connection was opened; a later one closes it with 4408.
    public var helloWithinMs: Milliseconds = 5000
    /// Time for the proof after the hub's challenge.
    public var authWithinMs: Milliseconds = 10_000
    /// Time for the steps of a pairing, counted from its first message.
    public var pairWithinMs: Milliseconds = 180_000
    /// Time from the first byte of a message to its last.
    public var messageWithinMs: Milliseconds = 10_000

    /// Silence of a remote before it is pinged, and before its connection is closed; a watch may be silent for longer.
    public var pingMs: Milliseconds = 20_000
    /// Silence of a remote after which its connection is closed.
    public var silenceMs: Milliseconds = 45_000
    /// Silence of a watch before it is pinged: each ping wakes its radio.
    public var watchPingMs: Milliseconds = 60_000
    /// Silence of a watch after which its connection is closed.
    public var watchSilenceMs: Milliseconds = 150_000

    /// Time without activity of a person after which a remote is shown as idle.
    public var idleAfterMs: Milliseconds = 300_000

    /// Age at which a command with a time (`ct`) expires if it names no `ttl`, so that a late button press has no effect.
    public var commandTTLMs: Milliseconds = 5000

    /// Buffer of one connection for control messages, and time that its socket may refuse writes.
    public var controlLane = 64 * 1024
    /// Time for which a socket may accept no bytes before its connection is closed with 4430.
    public var unwritableMs: Milliseconds = 10_000
    /// Number of operations that the hub stores for each queue; a client that lacks more reads the queue again.
    public var pendingQueueOps = 50
    /// Limit of rows whose texts are sent in a queue operation.
    public var inlineRows = 4

    public init() {}

    /// The defaults that the specification names.
    public static let standard = WireLimits()
}
