package import BatonCore
package import BatonProtocol
import BatonSeams

/// Work for a command that takes longer than one turn of the loop.
extension Handling {
    /// Work that is answered with its fault where it throws one. It does not wait for sources to be opened.
    package static func working(
        for accepted: AcceptedCommand, _ body: @escaping @Loop () async throws(ProtocolFault) -> Answer
    ) -> Handling {
        .working { do throws(ProtocolFault) { return try await body() } catch { return Answer(accepted.id, error) } }
    }

    /// The answer, after the work for it.
    package func finished() async -> Answer {
        switch self {
        case .answered(let answer): answer
        case .working(let work): await work()
        }
    }
}

/// The parameter by which a command names items.
package enum ItemParameter: Sendable {
    case uri, uris
    /// It names none: the hub chose the item.
    case none

    /// The place in the command of the item with this index, so that a fault can name it.
    func pointer(_ index: Int) -> String? {
        switch self {
        case .uri: "/p/uri"
        case .uris: "/p/uris/\(index)"
        case .none: nil
        }
    }
}

extension ItemExpansion {
    /// The entries of items that a command puts into a queue of at most `most` entries. A command that was cancelled meanwhile ends here.
    package func entries(
        of uris: [ItemURI], from parameter: ItemParameter, for accepted: AcceptedCommand, trust: Trust? = nil, most: Int
    ) async throws(ProtocolFault) -> [NewEntry] {
        let caller = accepted.identity
        let found = try await items(
            of: uris, by: caller.person, trust: trust ?? caller.trust, most: most, in: "queue", at: parameter.pointer)
        if Task.isCancelled { throw .cancelled }
        return found
    }
}

/// Changes of rooms by commands, with their answers.
extension RoomChanges {
    /// Lets the room of a command decide, and answers.
    package func answer(
        _ accepted: AcceptedCommand, with data: (any ReplyContent)? = nil,
        _ decide: (inout Room, inout EntryNumbers, Moment) throws(Refusal) -> Outcome
    ) throws(ProtocolFault) -> Answer {
        try change(accepted.live, for: accepted.id, under: accepted.key, answering: data, decide)
    }

    /// The answer to a command that waited and changed nothing of its room: that of a repeat which was faster, or a new one. It must be stored
    /// with its key, so that a repeat gets it too.
    package func storedAnswer(_ accepted: AcceptedCommand, with data: any ReplyContent) throws(ProtocolFault) -> Answer {
        if let known = try StoredAnswers(ledger: ledger).answer(to: accepted) { return known }
        return try change(accepted.live, for: accepted.id, under: accepted.key, answering: data) { _, _, _ in Outcome() }
    }

    /// The answer to a command that is done, whether or not it can be stored with its key. `isNew` is false where it was so already.
    package func done(_ isNew: Bool, for accepted: AcceptedCommand, _ data: (any ReplyContent)? = nil) -> Answer {
        Answer(storing(ledger.done(isNew, for: accepted, data).reply, under: accepted.key, in: accepted.live))
    }
}
