/// Every bound of the wire, with its default. The hub's configuration may change each of them;
/// decoders and sessions take them as an argument and know no numbers of their own.
package struct WireLimits: Equatable, Sendable {
    package var json = JSONLimits.standard

    /// Longest client text frame before `welcome`, and after it.
    package var frameBeforeWelcome = 4 * 1024
    package var clientFrame = 16 * 1024
    package var hubFrame = 64 * 1024
    package var binaryFrame = 20 * 1024
    package var messagesBeforeWelcome = 8

    package var connections = 1024
    package var connectionsPerDevice = 4
    /// Counts peers from other machines only.
    package var unauthenticatedPerAddress = 4

    package var commandsPerSecond = 20
    package var commandBurst = 40
    /// This many refusals within `floodWindowMs`, each before its `afterMs` had passed, close with 4429.
    package var floodRejections = 200
    package var floodWindowMs = 10_000
    package var commandsInFlight = 16
    /// Frames of any kind. What is over waits unread; more than `floodRejections` that had to wait within
    /// `floodWindowMs` close with 4429.
    package var framesPerSecond = 100
    package var frameBurst = 500

    /// Wrong keys of one address at once, and of all together. As many more come back each minute.
    package var wrongKeysPerAddress = 10
    package var wrongKeysInAll = 100

    package var rooms = 32
    package var queueAdd = 500
    package var queueLength = 10_000
    /// How many entries of a guest may wait in a queue.
    package var guestEntries = 5
    package var queueWindow = 100
    /// Rows of one page of a library, a playlist or a history.
    package var pageRows = 100
    /// Bytes of one page: three quarters of the longest frame, which leaves room for the reply around it.
    package var pageBytes: Int { hubFrame * 3 / 4 }
    package var playlistLength = 10_000
    package var playlistOps = 100

    /// This many malformed frames within `strikeWindowMs` close with 4400.
    package var strikes = 3
    package var strikeWindowMs = 60_000

    package var helloWithinMs = 5000
    package var authWithinMs = 10_000
    package var pairWithinMs = 180_000
    package var messageWithinMs = 10_000

    /// Silence of a remote before it is pinged, and before it is given up; a watch sleeps more.
    package var pingMs = 20_000
    package var silenceMs = 45_000
    package var watchPingMs = 60_000
    package var watchSilenceMs = 150_000

    /// A remote from which no person has been heard of for so long is shown as idle.
    package var idleAfterMs = 300_000

    package var commandTTLMs = 5000

    /// The control lane of one connection, and how long its socket may refuse to be written.
    package var controlLane = 64 * 1024
    package var unwritableMs = 10_000
    package var pendingQueueOps = 50
    /// At most this many rows of texts travel inside a queue operation.
    package var inlineRows = 4

    package init() {}

    package static let standard = WireLimits()
}
