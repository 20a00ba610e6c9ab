package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Creates, changes and deletes playlists at servers. A port, since the feature with the hub's own playlists handles the same
/// commands.
@Loop
package protocol ServerListEditing: AnyObject {
    func create(_ source: String, _ name: String, _ uris: [ItemURI], _ visit: Visit) async throws(ProtocolFault) -> Answer
    func edit(_ list: ItemURI, _ version: String?, _ ops: [PlaylistOp], _ visit: Visit) async throws(ProtocolFault) -> Answer
    func delete(_ list: ItemURI, _ version: String?, _ visit: Visit) async throws(ProtocolFault) -> Answer
}
