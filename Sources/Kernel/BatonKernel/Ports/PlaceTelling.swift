package import BatonCore
package import BatonSeams

/// Tells a server where its account's person is in an item. What other devices left there is read right before, so the outbox does not send such
/// a note by itself.
@Loop
package protocol PlaceTelling: AnyObject {
    func send(_ note: ServerPlaceNote, atMs: Int64, to connector: any Connector) async throws(SourceFault)
    /// The server has it, although its answer was lost.
    func hasArrived(_ note: ServerPlaceNote, at source: String) async
}
