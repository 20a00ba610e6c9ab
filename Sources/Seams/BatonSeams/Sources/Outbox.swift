package import BatonCore

/// What was done here and has to be told to a server, kept until the server knows it: each note is delivered once, in order
/// for each item, also when the hub or the server was away meanwhile. Every call may wait for the disk.
package protocol Outbox: Sendable {
    /// Returns when the note would survive the end of the program. A later note of the same kind about the same item takes the
    /// place of one that was not tried yet, so that a favourite that was set and taken back is told once.
    func add(_ note: WriteBack, for source: String, atMs: Int64) throws(SourceFault)

    /// The oldest note of this source whose item has no older one; `nil` when none waits.
    func next(for source: String) throws(SourceFault) -> OutboxNote?

    /// It is about to be sent: from now on it may have reached the server, also if the hub ends before an answer comes.
    /// False when a later note has taken its place meanwhile, so that it is not sent.
    func begin(_ id: Int64) throws(SourceFault) -> Bool

    /// Delivered, or already known to the server.
    func finish(_ id: Int64) throws(SourceFault)

    /// It was tried and its answer was lost, or refused for now: it stays first. `isUncertain` is false when it is known that the
    /// server did not take it.
    func keep(_ id: Int64, _ sentence: String, isUncertain: Bool) throws(SourceFault)

    /// The server refuses it for good. It is kept for people to see and does not hold up others.
    func refuse(_ id: Int64, _ sentence: String) throws(SourceFault)

    /// Oldest first, at most so many.
    func pending(of source: String, limit: Int) throws(SourceFault) -> [OutboxNote]
    func counts() throws(SourceFault) -> [String: OutboxCount]
    /// The items whose favourites or stars have not reached their server yet, with how many such notes each has.
    func pendingItems() throws(SourceFault) -> [ItemURI: Int]

    /// Forgets what waits for this source; how many there were.
    func drop(of source: String) throws(SourceFault) -> Int
}

package struct OutboxNote: Equatable, Sendable {
    package var id: Int64
    package var note: WriteBack
    package var atMs: Int64
    package var tries: Int
    /// The last try may have reached the server: whether it did is asked before it is sent again.
    package var isUncertain: Bool
    /// The server refused it for good.
    package var isRefused: Bool
    /// What the last try came to.
    package var sentence: String?

    package init(
        id: Int64, note: WriteBack, atMs: Int64, tries: Int = 0, isUncertain: Bool = false, isRefused: Bool = false,
        sentence: String? = nil
    ) {
        self.id = id
        self.note = note
        self.atMs = atMs
        self.tries = tries
        self.isUncertain = isUncertain
        self.isRefused = isRefused
        self.sentence = sentence
    }
}

package struct OutboxCount: Equatable, Sendable {
    package var pending: Int
    package var refused: Int
    /// Since the account was added.
    package var delivered: Int
    /// Plays that were sent a second time because their answer was lost and the server did not show them.
    package var repeated: Int

    package init(pending: Int = 0, refused: Int = 0, delivered: Int = 0, repeated: Int = 0) {
        self.pending = pending
        self.refused = refused
        self.delivered = delivered
        self.repeated = repeated
    }
}
