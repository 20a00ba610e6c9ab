import BatonCore
package import BatonProtocol
package import BatonSeams

/// One command that was let in: who sent it, to which room, and what makes a repeat of it safe.
@Loop
package struct Visit {
    package let context: CommandContext
    package let live: LiveRoom
    package let key: Ledger.Key?

    /// The number under which it is answered.
    package var id: Int { context.number }
    package var identity: Identity { context.identity }
    /// The connection it came by; `nil` for a command that stands alone.
    package var caller: Int? { if case .lane(let lane) = context.sender { lane.number } else { nil } }

    /// The key as the store of marks and playlists keeps it.
    package var commandKey: CommandKey? {
        key.map { key in
            CommandKey(device: key.device, key: key.key, hash: (0..<8).map { UInt8(truncatingIfNeeded: key.hash >> (UInt64($0) * 8)) })
        }
    }
}

/// The answers that keys were given before.
@Loop
package struct KeptAnswers {
    let ledger: Ledger

    package init(ledger: Ledger) { self.ledger = ledger }

    /// `nil` when the key is new.
    package func answer(to key: Ledger.Key?, id: Int) throws(ProtocolFault) -> Answer? {
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
    package func answer(to visit: Visit) throws(ProtocolFault) -> Answer? { try answer(to: visit.key, id: visit.id) }
}
