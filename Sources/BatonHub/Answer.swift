import BatonCore
import BatonProtocol
import BatonSeams

/// What a command comes to: exactly one reply, and what the player has yet to hear of it.
struct Answer: Sendable {
    var reply: Reply
    /// The result of a query, encoded.
    var data: [UInt8]?
    /// Given to the room's player after the reply has left.
    var orders: [PlayerOrder] = []
    var room: RoomID?

    init(_ reply: Reply, data: [UInt8]? = nil) {
        self.reply = reply
        self.data = data
    }

    init(_ id: Int, _ fault: ProtocolFault) {
        reply = Reply(id: id, .failed(WireError(fault)))
    }

    func encode(into writer: inout JSONWriter, stamps: Reply.Stamps, inline: Reply.InlineState? = nil) {
        var reply = reply
        reply.stamps = stamps
        reply.encode(into: &writer, data: data.map { data in { $0.encoded(data) } }, inline: inline)
    }
}

/// How the door deals with a command.
enum Handling {
    case answered(Answer)
    /// Sources have to be asked first. The caller owns the task that awaits this.
    case working(@Loop () async -> Answer)
}

extension Reply {
    /// What a room made of a command, in the wire's words.
    init(id: Int, _ outcome: BatonCore.Outcome, revision: Int, queue: PlaybackQueue) {
        let why = outcome.reason.map { Why(name: $0.rawValue) }
        self.init(id: id, outcome.status == .applied ? .applied(why: why) : .noop(why: why), revision: revision)
        let edited = outcome.changes.contains { if case .described = $0 { false } else { true } }
        if edited { self.queue = QueueResult(revision: queue.revision, ids: outcome.added.isEmpty ? nil : outcome.added) }
    }

    /// The same reply to the same command sent again, as it was kept.
    init?(kept bytes: [UInt8], id: Int) {
        guard case .reply(let received) = try? HubMessage.decode(bytes) else { return nil }
        self = received.reply
        self.id = id
        switch outcome {
        case .applied: outcome = .applied(why: .dup)
        case .noop: outcome = .noop(why: .dup)
        case .accepted(let operation, _): outcome = .accepted(operation: operation, why: .dup)
        case .failed, .unrecognised: break
        }
    }
}
