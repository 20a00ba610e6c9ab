import BatonCore
import BatonProtocol
import BatonSeams

/// Publishes sections under the revisions that the ledger counts, and tells the observers that something is new.
///
/// Publishing and telling are two steps: the client whose command made a change is answered between them.
@Loop
final class StatePublisher {
    typealias Draft = HubStateWriter.Draft

    let ledger: Ledger
    private let writer: HubStateWriter
    /// The revision at which the observers were last called.
    private var toldRevision = -1

    init(_ ledger: Ledger) {
        self.ledger = ledger
        writer = HubStateWriter(epoch: ledger.epoch, revision: ledger.revision)
    }

    var state: HubState { writer.state }

    /// After a restart every section gets the first new number: the last unsaved change may be lost, and no section may
    /// carry an older number than a client has seen for other content.
    func begin(with rooms: [RoomID], at revision: Int) { writer.begin(with: rooms, at: revision) }

    func draft(_ news: consuming [SectionNews], of room: RoomID?) -> Draft { writer.draft(news, of: room) }

    /// Shows a change that is kept. Sections that did not change cost no revision.
    func show(_ drafts: [Draft], at revision: Int, isUrgent: Bool = false) {
        for draft in drafts { writer.show(draft, at: revision) }
        advance(to: revision, isUrgent: isUrgent)
    }

    /// The same of one room and of the hub, which nearly every command comes to.
    func show(_ ofRoom: Draft, and ofHub: Draft, at revision: Int, isUrgent: Bool) {
        writer.show(ofRoom, at: revision)
        writer.show(ofHub, at: revision)
        advance(to: revision, isUrgent: isUrgent)
    }

    /// Publishes sections that are not kept in the journal. False when the journal gives no new revision.
    @discardableResult
    func publish(_ drafts: [Draft]) -> Bool {
        guard drafts.contains(where: { !$0.isEmpty }) else { return true }
        guard let revision = try? ledger.upcomingRevision() else { return false }
        show(drafts, at: revision)
        return true
    }

    /// One section of the hub.
    @discardableResult
    func publish(_ value: SectionValue) -> Bool { publish([writer.draft([SectionNews(value)], of: nil)]) }

    /// Takes a section of the hub away, if it is there.
    func remove(_ section: Section) {
        guard state.posted(section, of: nil)?.value != nil else { return }
        publish([writer.draft([SectionNews(removing: section)], of: nil)])
    }

    func open(_ room: RoomID, of owner: String? = nil, at revision: Int) { writer.open(room, of: owner, at: revision) }

    func close(_ room: RoomID) { writer.close(room) }

    /// Calls the observers: clients should be told what is new.
    func tell() {
        toldRevision = ledger.revision
        writer.tell()
    }

    /// The same behind a command. Most change nothing, and a walk over a thousand clients is not for those.
    func tellWhatChanged() { if ledger.revision != toldRevision { tell() } }

    private func advance(to revision: Int, isUrgent: Bool) {
        ledger.advance(to: revision)
        writer.advance(to: revision)
        if isUrgent { writer.hurry(revision) }
    }
}
