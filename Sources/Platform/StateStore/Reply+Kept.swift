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
        let contents: [any AnswerCoding.Type] = [CreatedRoom.self, StartedJob.self, SteeredPiece.self, ClipSessions.self]
        data = received.data.flatMap { data in contents.lazy.compactMap { try? $0.init(from: data) }.first }
    }
}
