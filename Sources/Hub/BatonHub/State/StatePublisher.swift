import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// Publishes sections under the revisions that the ledger counts, and tells the observers that something is new.
///
/// Publishing and telling are two steps: the client whose command made a change is answered between them.
@Loop
final class StatePublisher {
    let ledger: Ledger
    private(set) var published = PublishedState()
    /// The revision of the last change that does not wait for a client's pace.
    var urgentRevision = 0
    /// Called when clients should be told what is new.
    var tell: @Loop () -> Void = {}

    init(_ ledger: Ledger) { self.ledger = ledger }

    /// After a restart every section gets the first new number: the last unsaved change may be lost, and no section may
    /// carry an older number than a client has seen for other content.
    func begin(rooms: [RoomID], at revision: Int) { published.takeEverythingDown(at: revision, in: rooms) }

    func draft(_ sections: [EncodedSection], of room: RoomID?) -> PublishedState.Draft { published.draft(sections, of: room) }

    func show(_ draft: PublishedState.Draft, at revision: Int) { published.show(draft, at: revision) }

    /// Publishes sections that are not kept in the journal. False when the journal gives no new revision.
    @discardableResult
    func publish(_ drafts: [PublishedState.Draft]) -> Bool {
        guard drafts.contains(where: { !$0.isEmpty }) else { return true }
        guard let revision = try? ledger.upcomingRevision() else { return false }
        for draft in drafts { published.show(draft, at: revision) }
        ledger.advance(to: revision)
        return true
    }

    /// One section of the hub.
    @discardableResult
    func publish(_ section: EncodedSection) -> Bool { publish([published.draft([section], of: nil)]) }

    func open(_ room: RoomID, at revision: Int) { published.open(room, at: revision) }

    func close(_ room: RoomID) { published.close(room) }
}
