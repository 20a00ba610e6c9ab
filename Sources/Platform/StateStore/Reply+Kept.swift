/// A stored answer in the JSON of the companion protocol, which has been the format since the first version.
import BatonProtocol
import BatonWire

extension Reply {
    var keptBytes: [UInt8] { JSONWriter.bytes { encode(into: &$0) } }

    /// `nil` for bytes that are not an answer.
    init?(keptBytes: [UInt8]) {
        guard case .reply(let received) = try? HubMessage.decode(keptBytes) else { return nil }
        self = received.reply
        // A stored answer has no data but the created room or job, the piece that it shapes, or the session.
        data = received.data.flatMap { data in
            (try? ReplyData(from: data, as: .room)) ?? (try? ReplyData(from: data, as: .startedJob))
                ?? (try? ReplyData(from: data, as: .steered)) ?? (try? ReplyData(from: data, as: .clips))
        }
    }
}
