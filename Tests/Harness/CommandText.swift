package import BatonCore
package import BatonProtocol
import BatonWire

extension CommandRequest {
    /// The frame that carries this command, as `baton raw` and a call over HTTP send it.
    package func frameText(id: Int = 1, key: String? = nil, room: RoomID? = nil, ct: Int64? = nil, ttl: Int? = nil) -> String {
        // Only a value without a required parameter cannot be written, and the initialisers of commands ask for all of them.
        let frame = try! CommandFrame(id: id, self, key: key, room: room, ct: ct, ttl: ttl)
        return String(decoding: JSONWriter.bytes(frame.encode), as: UTF8.self)
    }
}
