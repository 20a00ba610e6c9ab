import BatonCore
import BatonProtocol
import BatonSeams

/// One command that was let in: who sent it, to which room, and what makes a repeat of it safe.
@Loop
struct Visit {
    let context: CommandContext
    let live: LiveRoom
    let key: Ledger.Key?

    /// The number under which it is answered.
    var id: Int { context.number }
    var identity: Identity { context.identity }
    /// The connection it came by; `nil` for a command that stands alone.
    var caller: Int? { if case .lane(let lane) = context.sender { lane.number } else { nil } }

    /// The key as the store of marks and playlists keeps it.
    var commandKey: CommandKey? {
        key.map { key in
            CommandKey(device: key.device, key: key.key, hash: (0..<8).map { UInt8(truncatingIfNeeded: key.hash >> (UInt64($0) * 8)) })
        }
    }
}

/// The answers that keys were given before.
@Loop
struct KeptAnswers {
    let ledger: Ledger

    /// `nil` when the key is new.
    func answer(to key: Ledger.Key?, id: Int) throws(ProtocolFault) -> Answer? {
        guard let key else { return nil }
        let kept: KeptAnswer?
        do { kept = try ledger.answer(to: key) } catch {
            throw ProtocolFault(.unavailable, error.sentence)
        }
        guard let kept else { return nil }
        guard kept.hash == key.hash else {
            throw ProtocolFault(.keyMismatch, "This key was used for another command.", at: "/k")
        }
        return Answer(again: kept.reply, id: id)
    }

    /// The same press may have come by another connection while this one waited.
    func answer(to visit: Visit) throws(ProtocolFault) -> Answer? { try answer(to: visit.key, id: visit.id) }
}
