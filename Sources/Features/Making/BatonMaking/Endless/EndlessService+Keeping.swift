import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Plans in the store, and their section for remotes.
extension EndlessService {
    func keep(_ plan: EndlessPlan?, _ room: RoomID) {
        let text = plan?.text
        writing.add { [weak self] in try? await self?.put(text, room) }
    }

    /// Writes a plan. Writes run one after the other, so that an older plan never replaces a newer one.
    func save(_ text: String?, _ room: RoomID) async throws(SourceFault) {
        try await writing.inTurn { [weak self] () async throws(SourceFault) in try await self?.put(text, room) }
    }

    private func put(_ text: String?, _ room: RoomID) async throws(SourceFault) {
        guard let keeper else { return }
        try await jobs.sources.inBlockingPool { () async throws(SourceFault) in
            try keeper.put(text, .endless, named: room.text)
        }
    }

    func show(_ room: RoomID) {
        let section = plans[room].map { EndlessSection($0, trouble: trouble[room]) }
        guard section != shown[room] else { return }
        shown[room] = section
        let news = section.map { SectionNews(.endless($0)) } ?? SectionNews(removing: .endless)
        changes.publisher.publish([changes.publisher.draft([news], of: room)])
        changes.publisher.tell()
    }
}

extension EndlessSection {
    fileprivate init(_ plan: EndlessPlan, trouble: String?) {
        self.init(
            isOn: plan.isOn, prompt: plan.wish.prompt, ahead: plan.wish.ahead, follow: plan.wish.follow, worker: plan.wish.worker,
            author: plan.author, startedMs: plan.startedMs, made: plan.made, steering: plan.steering(of: plan.next),
            sentence: plan.ended ?? trouble)
    }
}
