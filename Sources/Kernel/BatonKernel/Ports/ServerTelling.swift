package import BatonCore
package import BatonSeams

/// Tells servers what was done here with their items. What is told has to be durable before a person gets the answer, so it is asked.
@Loop
package protocol ServerTelling: AnyObject {
    /// Items whose favourites or stars have not reached their server yet, with how many notes each has.
    var pendingItems: [ItemURI: Int] { get }
    /// Whether the source of this note's item wants to know such things.
    func isWanted(_ note: WriteBack, by source: String) -> Bool
    /// Returns when the note is durable.
    func add(_ note: WriteBack, for source: String, atMs: Int64) async throws(SourceFault)
    /// For facts that hold only now, such as what plays: the latest one counts, and none is kept.
    func tellOnce(_ note: WriteBack, to source: String, atMs: Int64)
    /// The notes that wait for this source.
    func pending(of source: String, limit: Int) async throws(SourceFault) -> [OutboxNote]
}
