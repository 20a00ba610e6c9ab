package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Publishes sections under the revisions of the ledger, and tells the observers about them.
///
/// Publishing and telling are two steps: the client whose command made a change is answered between them.
@Loop
package final class StatePublisher {
    /// Changed sections of one room or of the hub, which are not published yet.
    package typealias Draft = HubStateWriter.Draft

    let ledger: Ledger
    private let writer: HubStateWriter
    /// The revision at which the observers were last called.
    private var toldRevision = -1

    init(_ ledger: Ledger) {
        self.ledger = ledger
        writer = HubStateWriter(epoch: ledger.epoch, revision: ledger.revision)
    }

    /// The published state, which dialects read.
    package var state: HubState { writer.state }

    /// Starts with the first new revision for every section. The last unsaved change may be lost in a restart, and no section
    /// may have an older revision than one under which a client has seen other content.
    func begin(with rooms: [RoomID], at revision: Int) { writer.begin(with: rooms, at: revision) }

    /// Compares sections with the published ones before a change is stored, since an unchanged one needs no revision. Without a room they
    /// are the hub's.
    package func draft(_ news: consuming [SectionNews], of room: RoomID?) -> Draft { writer.draft(news, of: room) }

    /// Publishes a stored change. Unchanged sections cost no revision.
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

    /// Publishes sections that are not in the journal. False when the journal gives no new revision.
    @discardableResult
    package func publish(_ drafts: [Draft]) -> Bool {
        guard drafts.contains(where: { !$0.isEmpty }) else { return true }
        guard let revision = try? ledger.upcomingRevision() else { return false }
        show(drafts, at: revision)
        return true
    }

    /// Publishes one section of the hub.
    @discardableResult
    package func publish(_ value: SectionValue) -> Bool { publish([writer.draft([SectionNews(value)], of: nil)]) }

    /// Removes a section of the hub, if there is one.
    package func remove(_ section: Section) {
        guard state.posted(section, of: nil)?.value != nil else { return }
        publish([writer.draft([SectionNews(removing: section)], of: nil)])
    }

    func open(_ room: RoomID, of owner: String? = nil, at revision: Int) { writer.open(room, of: owner, at: revision) }

    func close(_ room: RoomID) { writer.close(room) }

    /// Calls the observers: clients should be told what is new.
    package func tell() {
        toldRevision = ledger.revision
        writer.tell()
    }

    /// The same behind a command. Most change nothing, and a walk over a thousand clients is not for those.
    func tellWhatChanged() { if ledger.revision != toldRevision { tell() } }

    private func advance(to revision: Int, isUrgent: Bool) {
        ledger.advance(to: revision)
        writer.advance(to: revision)
        if isUrgent { writer.markUrgent(revision) }
    }
}
