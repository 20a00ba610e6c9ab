import BatonCore
package import BatonProtocol
package import BatonSeams

/// An accepted command with its sender, its room, and the key that makes a repeat safe.
@Loop
package struct AcceptedCommand {
    /// The facts that the dialect gave with the command.
    package let context: CommandContext
    /// The room that the command names, or the hub's first one. It was there when the command was accepted, and may be gone after a wait.
    package let live: LiveRoom
    /// The key under which the answer is stored; `nil` for a command that may be repeated freely, or whose answer is never written.
    package let key: Ledger.Key?
    /// The number of halts in all rooms when the command came; see `laterHalt(in:)`.
    var halts = 0

    /// The number of its answer.
    package var id: Int { context.number }
    /// The sender with its role and its trust, which the door has checked against the command's role only.
    package var identity: Identity { context.identity }
    /// The number of its connection; `nil` for a command without one.
    package var caller: Int? { if case .lane(let lane) = context.sender { lane.number } else { nil } }

    /// The key in the form of the store of marks and playlists.
    package var commandKey: CommandKey? {
        key.map { key in
            CommandKey(device: key.device, key: key.key, hash: (0..<8).map { UInt8(truncatingIfNeeded: key.hash >> (UInt64($0) * 8)) })
        }
    }

    /// The key of a command that would take effect twice without one. The codec reads such a command only with a key.
    package var neededKey: CommandKey {
        guard let commandKey else { preconditionFailure("a command that needs a key came without one") }
        return commandKey
    }
}

/// The stored answers, by key.
@Loop
package struct StoredAnswers {
    let ledger: Ledger

    package init(ledger: Ledger) { self.ledger = ledger }

    /// The stored answer to a command; `nil` when the key is new. `queue` finds the queue of a room that is still there.
    func answer(to key: Ledger.Key?, id: Int, queue: (RoomID) -> PlaybackQueue?) throws(ProtocolFault) -> Answer? {
        guard let key else { return nil }
        let kept: StoredAnswer?
        do { kept = try ledger.answer(to: key) } catch {
            throw ProtocolFault(.unavailable, error.sentence)
        }
        guard let kept else { return nil }
        guard kept.hash == key.hash else { throw .keyMismatch }
        return Answer(again: kept.reply, id: id, revision: ledger.revision, queue: kept.room.flatMap(queue))
    }

    /// The stored answer for a command that waited, since a repeat may have come by another connection meanwhile.
    package func answer(to accepted: AcceptedCommand) throws(ProtocolFault) -> Answer? {
        let live = accepted.live
        return try answer(to: accepted.key, id: accepted.id) { $0 == live.id && !live.isGone ? live.room.queue : nil }
    }
}
