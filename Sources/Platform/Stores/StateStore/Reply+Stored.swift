/// A stored answer in the JSON of the companion protocol, which has been the format since the first version. The id of the room whose queue it tells
/// of stands behind it on a line of its own.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

extension StoredAnswer {
    private static let lineEnd = UInt8(ascii: "\n")

    var storedBytes: [UInt8] { JSONWriter.bytes { reply.encode(into: &$0) } + (room.map { [Self.lineEnd] + $0.text.utf8 } ?? []) }

    /// `nil` for bytes that hold no answer.
    init?(device: String, key: String, hash: UInt64, storedBytes: [UInt8], to kind: CommandKind) {
        // The writer of JSON escapes the ends of lines.
        let lines = storedBytes.split(separator: Self.lineEnd, maxSplits: 1)
        guard let first = lines.first, case .reply(let received) = try? HubMessage.decode(Array(first)) else { return nil }
        var reply = received.reply
        reply.data = received.data.flatMap { data in try? kind.content?.init(from: data) }
        let room = lines.count > 1 ? RoomID(String(decoding: lines[1], as: UTF8.self)) : nil
        self.init(device: device, key: key, hash: hash, reply: reply, room: room)
    }
}
