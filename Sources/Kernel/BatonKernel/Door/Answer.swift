package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The answer to a command: exactly one reply, and the orders that the player gets after it.
///
/// A class, since each step on the way back from the room would copy it.
@Loop
package final class Answer {
    /// The reply, which leaves before any order is given to a player.
    package let reply: Reply
    /// Sent piece by piece once the reply has left.
    package let picture: Picture?
    /// Given to the room's player after the reply has left.
    package let orders: [PlayerOrder]
    /// The room whose player gets `orders`; `nil` if the answer concerns no player.
    package let room: RoomID?
    /// Orders for another room's player that come first, as when it is to fall silent.
    package let before: (room: RoomID, orders: [PlayerOrder])?

    package init(
        _ reply: consuming Reply, orders: [PlayerOrder] = [], in room: RoomID? = nil,
        after before: (room: RoomID, orders: [PlayerOrder])? = nil, picture: Picture? = nil
    ) {
        self.reply = reply
        self.orders = orders
        self.room = room
        self.before = before
        self.picture = picture
    }

    /// An answer that refuses the command with this number; no order follows it.
    package convenience init(_ id: Int, _ fault: ProtocolFault) { self.init(Reply(id: id, .failed(WireError(fault)))) }

    /// The same answer to the same command sent again. Its revisions are those of now, since those of then may be of another epoch, which the
    /// client cannot compare with its own. `queue` is the one that the command changed; `nil` where it is gone, whose revision nothing can name.
    convenience init(again kept: Reply, id: Int, revision: Int, queue: PlaybackQueue?) {
        var reply = kept
        reply.id = id
        reply.outcome = reply.outcome.again
        if reply.revision != nil { reply.revision = revision }
        if let queue { reply.queue?.revision = queue.revision } else { reply.queue = nil }
        self.init(reply)
    }
}

extension Ledger {
    /// The answer to a question.
    package func found(_ data: any ReplyContent, for accepted: AcceptedCommand) -> Answer { done(true, for: accepted, data) }

    /// The answer to a command that shall make something so. `isNew` is false where it was so already.
    package func done(_ isNew: Bool, for accepted: AcceptedCommand, _ data: (any ReplyContent)? = nil) -> Answer {
        answer(to: accepted, isNew ? .applied() : .noop(why: .same), data)
    }

    /// The answer with this outcome, at the current revision.
    package func answer(to accepted: AcceptedCommand, _ outcome: BatonProtocol.Reply.Outcome, _ data: (any ReplyContent)? = nil) -> Answer {
        Answer(Reply(id: accepted.id, outcome, revision: revision, data: data))
    }
}

/// The way in which a command is handled.
package enum Handling {
    case answered(Answer)
    /// Work that asks sources first. The caller owns the task that awaits it.
    case working(@Loop () async -> Answer)
}

extension Settling {
    /// Work that begins once all sources have been opened.
    package func working(_ id: Int, _ body: @escaping @Loop () async throws(ProtocolFault) -> Answer) -> Handling {
        .working {
            await self.wait()
            do throws(ProtocolFault) { return try await body() } catch { return Answer(id, error) }
        }
    }
}

extension Reply {
    /// The outcome of a command in a room, in the words of the protocol.
    package init(id: Int, _ outcome: BatonCore.Outcome, revision: Int, queue: PlaybackQueue, data: (any ReplyContent)? = nil) {
        let why = outcome.reason.map { Why(name: $0.rawValue) }
        self.init(id: id, outcome.status == .applied ? .applied(why: why) : .noop(why: why), revision: revision)
        let edited = outcome.changes.contains { if case .described = $0 { false } else { true } }
        // Few answers have data, and an absent existential would be copied like a present one.
        if let data { self.data = data }
        if edited { self.queue = QueueResult(revision: queue.revision, ids: outcome.added.isEmpty ? nil : outcome.added) }
    }
}

extension Reply.Outcome {
    /// The outcome for a repeated command.
    fileprivate var again: Reply.Outcome {
        switch self {
        case .applied: .applied(why: .dup)
        case .noop: .noop(why: .dup)
        case .failed, .unrecognised: self
        }
    }
}
