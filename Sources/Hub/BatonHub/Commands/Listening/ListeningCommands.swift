import BatonCore
import BatonProtocol
import BatonSeams

/// What devices ask that play the sound of a room themselves: where it is heard, and where they get what they play.
@Loop
final class ListeningCommands {
    private let people: People
    private let sources: Sources
    private let media: MediaPasses
    private let settling: Settling
    private let ledger: Ledger
    private let clock: HubClock
    private let links: LinkCommands
    private let privateRooms: PrivateRoomCommands

    init(
        _ people: People, _ sources: Sources, _ media: MediaPasses, _ settling: Settling, _ ledger: Ledger, _ clock: HubClock,
        _ links: LinkCommands, _ privateRooms: PrivateRoomCommands
    ) {
        self.people = people
        self.sources = sources
        self.media = media
        self.settling = settling
        self.ledger = ledger
        self.clock = clock
        self.links = links
        self.privateRooms = privateRooms
    }

    func handle(_ request: ListeningRequest, _ visit: Visit) throws(ProtocolFault) -> Handling {
        switch request {
        case .links: return .answered(try links.list(visit))
        case .addLink(let name): return .answered(try links.add(name, visit))
        case .removeLink(let id): return .answered(try links.remove(id, visit))
        case .only(let uri, let index, let position): return privateRooms.play(uri, index: index, positionMs: position, visit)
        case .gone:
            if let lane = visit.caller { people.report(nil, of: visit.identity.principal, in: visit.live.room.id, by: lane) }
            return .answered(answer(visit, ListeningAnswer()))
        case .here(let report, let quality):
            // A command that stands alone has no connection with which its report would end.
            if let lane = visit.caller { people.report(report, of: visit.identity.principal, in: visit.live.room.id, by: lane) }
            guard let quality else { return .answered(answer(visit, ListeningAnswer(line: line(of: visit.live)))) }
            return settling.working(visit.id) { [self] () async throws(ProtocolFault) in
                let items = await items(of: visit.live.room, for: visit.identity, quality)
                return answer(visit, ListeningAnswer(line: line(of: visit.live), items: items))
            }
        }
    }

    /// A connection has ended.
    func leave(_ lane: Int) { people.forgetReports(by: lane) }

    private func answer(_ visit: Visit, _ data: ListeningAnswer) -> Answer {
        Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: .listening(data)))
    }

    /// As it was measured at the room's output. The line of the section `tl` is sent anew only when it is tens of milliseconds off.
    private func line(of live: LiveRoom) -> ListeningAnswer.Line? {
        let shown = live.room.timeline
        guard let entry = shown.entry else { return nil }
        // At 0 the entry before may still sound, and the line that is shown begins when that has ended.
        guard shown.state == .playing, shown.rate > 0, let measuredMs = live.playerOrders?.measuredMs, measuredMs > 0 else {
            return .init(entry: entry, positionUs: Int64(max(0, shown.positionMs)) * 1000, atUs: shown.atUs, rate: shown.rate)
        }
        return .init(entry: entry, positionUs: Int64(measuredMs * 1000), atUs: clock.nowUs, rate: shown.rate)
    }

    // MARK: Items

    private func items(of room: Room, for identity: Identity, _ quality: ListeningQuality) async -> [ListeningAnswer.Item] {
        var items: [ListeningAnswer.Item] = []
        for entry in [room.currentEntry, room.upcoming].compactMap({ $0 }) where items.last?.entry != entry.id {
            items.append(await item(entry, for: identity, quality))
        }
        return items
    }

    private func item(_ entry: QueueEntry, for identity: Identity, _ quality: ListeningQuality) async -> ListeningAnswer.Item {
        do throws(SourceFault) {
            // Who may put an entry into the queue has been decided; who follows the room may hear it.
            let playable = try await sources.playable(of: entry.uri, trust: entry.trust)
            if let why = Self.refusal(of: playable) { return .init(entry: entry.id, sentence: why) }
            let pass = media.give(entry.uri, trust: min(entry.trust, .ownMachine), to: identity.device, as: quality.coding, at: clock.now)
            return .init(
                entry: entry.id, url: pass.url, untilMs: pass.untilMs, startMs: playable.startMs, endMs: playable.endMs)
        } catch {
            return .init(entry: entry.id, sentence: error.sentence)
        }
    }

    private static func refusal(of playable: Playable) -> String? {
        if playable.isLive { return "Live radio has no position that another device could keep to." }
        switch playable.location {
        case .file, .bytes: return nil
        case .parts: return "This book has several files, so the hub cannot hand it out as one."
        case .url: return "This item is no file of the hub's, so the hub cannot hand it out."
        }
    }
}

extension ListeningQuality {
    /// `nil` for the bytes as they are. These devices are near the hub, whose network carries the original, unless a person says otherwise.
    fileprivate var coding: SoundCoding? {
        switch self {
        case .auto, .original: nil
        case .opus128: SoundCoding(.opus, kilobits: 128)
        case .opus64: SoundCoding(.opus, kilobits: 64)
        case .aac128: SoundCoding(.aac, kilobits: 128)
        }
    }
}
