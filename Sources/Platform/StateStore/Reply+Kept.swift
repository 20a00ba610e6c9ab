/// An answer as the file keeps it: the JSON of the companion protocol, in which hubs have kept answers from the beginning.
import BatonProtocol
import BatonWire

extension Reply {
    var keptBytes: [UInt8] { JSONWriter.bytes { encode(into: &$0) } }

    /// `nil` for bytes that are no answer.
    init?(keptBytes: [UInt8]) {
        guard case .reply(let received) = try? HubMessage.decode(keptBytes) else { return nil }
        self = received.reply
        // A kept answer has no other data than the room or the job that it has made, the piece that it shapes, or the session.
        data = received.data.flatMap { data in
            (try? ReplyData(from: data, as: .room)) ?? (try? ReplyData(from: data, as: .startedJob))
                ?? (try? ReplyData(from: data, as: .steered)) ?? (try? ReplyData(from: data, as: .clips))
        }
    }
}
