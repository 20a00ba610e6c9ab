import BatonCore
import BatonProtocol
import BatonSeams

/// What a command comes to: exactly one reply, and what the player has yet to hear of it.
struct Answer: Sendable {
    var reply: Reply
    /// The result of a query, encoded.
    var data: [UInt8]?
    /// What is sent piece by piece once the reply has left.
    var picture: Picture?
    /// Given to the room's player after the reply has left.
    var orders: [PlayerOrder] = []
    var room: RoomID?
    /// What another room's player is told first, as when it is to fall silent.
    var before: (room: RoomID, orders: [PlayerOrder])?

    init(_ reply: Reply, data: [UInt8]? = nil) {
        self.reply = reply
        self.data = data
    }

    init(_ id: Int, _ fault: ProtocolFault) {
        reply = Reply(id: id, .failed(WireError(fault)))
    }

    /// The same answer to the same command sent again, as it was kept.
    init?(kept bytes: [UInt8], id: Int) {
        guard case .reply(let received) = try? HubMessage.decode(bytes) else { return nil }
        var reply = received.reply
        reply.id = id
        reply.outcome = reply.outcome.again
        self.init(reply, data: received.data.map { data in JSONWriter.bytes { $0.value(data) } })
    }

    func encode(into writer: inout JSONWriter, stamps: Reply.Stamps? = nil, inline: Reply.InlineState? = nil) {
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
}

extension Reply.Outcome {
    /// What a repeated press is told.
    fileprivate var again: Reply.Outcome {
        switch self {
        case .applied: .applied(why: .dup)
        case .noop: .noop(why: .dup)
        case .accepted(let operation, _): .accepted(operation: operation, why: .dup)
        case .failed, .unrecognised: self
        }
    }
}
