package import BatonCore

/// Notes for servers about events here, stored until they are delivered: each note is delivered once, in order for each item, even when the hub or
/// the server was down meanwhile. Every call may wait for the disk.
package protocol Outbox: Sendable {
    /// Returns when the note would survive the end of the program. A later note of the same kind about the same item replaces one that was not tried
    /// yet, so that a favourite that was set and removed again is sent once.
    func add(_ note: WriteBack, for source: String, atMs: Milliseconds) throws(SourceFault)

    /// The oldest note of this source whose item has no older one; `nil` when none waits.
    func next(for source: String) throws(SourceFault) -> OutboxNote?

    /// Marks a note as being sent: from now on it may have reached the server, even if the hub ends before the answer. Returns false when a later
    /// note has replaced it, so that it is not sent.
    func begin(_ id: Int64) throws(SourceFault) -> Bool

    /// Removes a note that was delivered, or that the server already knows.
    func finish(_ id: Int64) throws(SourceFault)

    /// Returns a note to its place after its answer was lost, or after a temporary refusal. `isUncertain` is false when the server certainly did not
    /// take it.
    func store(_ id: Int64, _ sentence: String, isUncertain: Bool) throws(SourceFault)

    /// Marks a note that the server refuses permanently. It is stored for people to see and does not delay others.
    func refuse(_ id: Int64, _ sentence: String) throws(SourceFault)

    /// Waiting notes, the oldest first, at most `limit`.
    func pending(of source: String, limit: Int) throws(SourceFault) -> [OutboxNote]
    /// Figures for each source that has, or had, notes.
    func counts() throws(SourceFault) -> [String: OutboxCount]
    /// Items whose favourites or stars have not reached their server, with the number of their notes.
    func pendingItems() throws(SourceFault) -> [ItemURI: Int]

    /// Removes the waiting notes of this source, and returns their number.
    func drop(of source: String) throws(SourceFault) -> Int
}

/// A note on its way to a server.
package struct OutboxNote: Equatable, Sendable {
    /// The number of the note, in the order in which notes were added.
    package var id: Int64
    /// The event.
    package var note: WriteBack
    /// Wall clock time of the event.
    package var atMs: Milliseconds
    /// Number of tries so far.
    package var tries: Int
    /// True when the last try may have reached the server, which is asked before the note is sent again.
    package var isUncertain: Bool
    /// True when the server refused it permanently.
    package var isRefused: Bool
    /// The result of the last try.
    package var sentence: String?

    package init(
        id: Int64, note: WriteBack, atMs: Milliseconds, tries: Int = 0, isUncertain: Bool = false, isRefused: Bool = false,
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

/// Figures about the notes for one source.
package struct OutboxCount: Equatable, Sendable {
    /// Number of notes that wait.
    package var pending: Int
    /// Number of notes that the server refused permanently.
    package var refused: Int
    /// Number of notes since the account was added.
    package var delivered: Int
    /// Number of plays that were sent twice because their answer was lost and the server did not show them.
    package var repeated: Int

    package init(pending: Int = 0, refused: Int = 0, delivered: Int = 0, repeated: Int = 0) {
        self.pending = pending
        self.refused = refused
        self.delivered = delivered
        self.repeated = repeated
    }
}
