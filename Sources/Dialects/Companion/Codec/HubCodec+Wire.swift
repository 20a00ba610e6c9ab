import BatonCore
import BatonProtocol
package import BatonSeams
import BatonWire

/// The companion protocol's codec, as the hub keeps answers and devices by it.
extension HubCodec {
    package static let wire = HubCodec(
        encodeReply: { reply in JSONWriter.bytes { reply.encode(into: &$0) } },
        decodeReply: { bytes in
            guard case .reply(let received) = try? HubMessage.decode(bytes) else { return nil }
            var reply = received.reply
            // A kept answer has no other data than the room that it has made.
            reply.data = try? received.data.map { data throws(ProtocolFault) in try ReplyData(from: data, as: .room) }
            return reply
        },
        encodeDevices: \.bytes, decodeDevices: { DeviceTable($0) },
        fittingRows: { list, bytes, marks in list.fitting(bytes - marks * ItemRow.mostMarkBytes) })
}
