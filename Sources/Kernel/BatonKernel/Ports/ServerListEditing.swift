package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Creates, changes and deletes playlists at servers. A port, since the feature with the hub's own playlists handles the same
/// commands.
@Loop
package protocol ServerListEditing: AnyObject {
    /// Creates a list at a server with the server's own tracks for the items. It refuses if the server has none of them.
    func create(_ name: String, of uris: [ItemURI], at source: String, for accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer
    /// Sends all steps to the server as one edit. A `version` that is not the list's is a conflict.
    func edit(_ list: ItemURI, from version: String?, by ops: [PlaylistOp], for accepted: AcceptedCommand) async throws(ProtocolFault)
        -> Answer
    /// Deletes a list, or with a `version` only that state of it.
    func delete(_ list: ItemURI, from version: String?, for accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer
}
