package import BatonCore
import BatonProtocol
package import BatonWire

extension WireCommand {
    /// The frame that carries this command, as `baton raw` and a call over HTTP send it.
    package func frameText(id: Int = 1, key: String? = nil, room: RoomID? = nil, ct: Milliseconds? = nil, ttl: Milliseconds? = nil)
        -> String
    {
        let frame = CommandFrame(id: id, self, key: key, room: room, ct: ct, ttl: ttl)
        return String(decoding: JSONWriter.bytes(frame.encode), as: UTF8.self)
    }
}
