package import BatonCore
package import BatonSeams

/// Sends a person's place in an item to a server. The place of other devices is read just before, so the outbox does not send
/// such a note by itself.
@Loop
package protocol PlaceTelling: AnyObject {
    /// Sends the place, unless the server has a newer one of another device, which is then taken over.
    func send(_ note: ServerPlaceNote, atMs: Milliseconds, to connector: any Connector) async throws(SourceFault)
    /// Notes that the server has the place, although its answer was lost.
    func hasArrived(_ note: ServerPlaceNote, at source: String) async
}
