package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Makes, changes and deletes playlists that servers keep. The same commands are for those of the hub, so the feature that has them asks.
@Loop
package protocol ServerListEditing: AnyObject {
    func create(_ source: String, _ name: String, _ uris: [ItemURI], _ visit: Visit) async throws(ProtocolFault) -> Answer
    func edit(_ list: ItemURI, _ version: String?, _ ops: [PlaylistOp], _ visit: Visit) async throws(ProtocolFault) -> Answer
    func delete(_ list: ItemURI, _ version: String?, _ visit: Visit) async throws(ProtocolFault) -> Answer
}
