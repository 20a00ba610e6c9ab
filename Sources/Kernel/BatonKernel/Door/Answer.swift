package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The answer to a command: exactly one reply, and the orders that the player gets after it.
///
/// A class, since each step on the way back from the room would copy it.
@Loop
package final class Answer {
    package var reply: Reply
    /// A picture that is sent in pieces after the reply.
    package var picture: Picture?
    /// Orders that the room's player gets after the reply.
    package var orders: [PlayerOrder] = []
    package var room: RoomID?
    /// Orders for another room's player that come first, such as a stop.
    package var before: (room: RoomID, orders: [PlayerOrder])?

    package init(_ reply: Reply) { self.reply = reply }

    /// The answer with the effect of a room's decision.
    package init(_ effect: consuming RoomChanges.Effect, in room: RoomID) {
        reply = effect.reply
        orders = effect.orders
        self.room = room
    }

    package init(_ id: Int, _ fault: ProtocolFault) {
        reply = Reply(id: id, .failed(WireError(fault)))
    }

    /// The first answer, for a command that was sent again.
    package init(again kept: Reply, id: Int) {
        reply = kept
        reply.id = id
        reply.outcome = reply.outcome.again
    }
}

extension Ledger {
    /// The answer to a question.
    package func found(_ data: any ReplyContent, for visit: Visit) -> Answer { done(true, for: visit, data) }

    /// The answer to a command that shall make something so. `isNew` is false where it was so already.
    package func done(_ isNew: Bool, for visit: Visit, _ data: (any ReplyContent)? = nil) -> Answer {
        answer(visit, isNew ? .applied() : .noop(why: .same), data)
    }

    package func answer(_ visit: Visit, _ outcome: BatonProtocol.Reply.Outcome, _ data: (any ReplyContent)? = nil) -> Answer {
        Answer(Reply(id: visit.id, outcome, revision: revision, data: data))
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
    /// What a room made of a command, in the wire's words.
    package init(id: Int, _ outcome: BatonCore.Outcome, revision: Int, queue: PlaybackQueue, data: (any ReplyContent)? = nil) {
        let why = outcome.reason.map { Why(name: $0.rawValue) }
        self.init(id: id, outcome.status == .applied ? .applied(why: why) : .noop(why: why), revision: revision, data: data)
        let edited = outcome.changes.contains { if case .described = $0 { false } else { true } }
        if edited { self.queue = QueueResult(revision: queue.revision, ids: outcome.added.isEmpty ? nil : outcome.added) }
    }
}

extension Reply.Outcome {
    /// The outcome for a repeated command.
    fileprivate var again: Reply.Outcome {
        switch self {
        case .applied: .applied(why: .dup)
        case .noop: .noop(why: .dup)
        case .accepted(let operation, _): .accepted(operation: operation, why: .dup)
        case .failed, .unrecognised: self
        }
    }
}
