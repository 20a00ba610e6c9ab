package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Creates, changes and deletes playlists at servers. A port, since the feature with the hub's own playlists handles the same
/// commands.
@Loop
package protocol ServerListEditing: AnyObject {
    func create(_ name: String, of uris: [ItemURI], at source: String, for visit: Visit) async throws(ProtocolFault) -> Answer
    func edit(_ list: ItemURI, from version: String?, by ops: [PlaylistOp], for visit: Visit) async throws(ProtocolFault) -> Answer
    func delete(_ list: ItemURI, from version: String?, for visit: Visit) async throws(ProtocolFault) -> Answer
}
