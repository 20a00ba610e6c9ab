package import BatonCore
package import BatonSeams

/// Sends changes of items to their servers. A port, since a change must be durable before a person gets the answer.
@Loop
package protocol ServerTelling: AnyObject {
    /// Items whose favourites or stars have not reached their server yet, with the number of notes for each.
    var pendingItems: [ItemURI: Int] { get }
    /// True when the source accepts notes of this kind.
    func isWanted(_ note: WriteBack, by source: String) -> Bool
    /// Adds a note. It is durable when this returns.
    func add(_ note: WriteBack, for source: String, atMs: Milliseconds) async throws(SourceFault)
    /// Sends a note that is true only now, such as the current item. The latest one counts, and none is stored.
    func tellOnce(_ note: WriteBack, to source: String, atMs: Milliseconds)
    /// The notes that wait for this source.
    func pending(of source: String, limit: Int) async throws(SourceFault) -> [OutboxNote]
}
