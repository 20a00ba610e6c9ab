import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands of devices that play the sound of a room themselves: its timeline, and the addresses of its items.
@Loop
struct ListeningCommands: LaneObserver {
    let people: People
    let sources: Sources
    let media: MediaPasses
    let settling: Settling
    let ledger: Ledger
    let clock: HubClock

    func install(in commands: CommandTable) {
        commands.on(Commands.ListenHere.self, here)
        commands.tellEndsOfLanes(to: self)
    }

    func laneEnded(_ lane: Int) { people.forgetReports(by: lane) }

    private func here(_ command: Commands.ListenHere, _ accepted: AcceptedCommand) -> Handling {
        // A command without a connection leaves no report, since nothing would end it.
        if let lane = accepted.caller {
            people.report(command.isOn ? command.report : nil, of: accepted.identity.principal, in: accepted.live.room.id, by: lane)
        }
        guard command.isOn else { return .answered(ledger.found(ListeningAnswer(), for: accepted)) }
        guard command.media else { return .answered(ledger.found(ListeningAnswer(line: line(of: accepted.live)), for: accepted)) }
        return settling.working(accepted.id) { () async throws(ProtocolFault) in
            let items = await items(of: accepted.live.room, for: accepted.identity, command.quality)
            return ledger.found(ListeningAnswer(line: line(of: accepted.live), items: items), for: accepted)
        }
    }

    /// The timeline as it was measured at the room's output. The section `tl` is only updated for errors of tens of
    /// milliseconds.
    private func line(of live: LiveRoom) -> ListeningAnswer.Line? {
        let shown = live.room.timeline
        guard let entry = shown.entry else { return nil }
        // At 0 the previous entry may still be audible, and the published timeline begins at its end.
        guard shown.state == .playing, shown.rate > 0, let measuredMs = live.playerOrders?.measuredMs, measuredMs > 0 else {
            return .init(entry: entry, positionUs: Microseconds(max(0, shown.positionMs)), atUs: shown.atUs, rate: shown.rate)
        }
        return .init(entry: entry, positionUs: Microseconds(measuredMs * 1000), atUs: clock.nowUs, rate: shown.rate)
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
            // Adding the entry was permitted before, and every follower of the room may hear it.
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
    /// The encoding; `nil` for the original bytes, which the hub's own network carries, unless a person chooses otherwise.
    fileprivate var coding: SoundCoding? {
        switch self {
        case .auto, .original: nil
        case .opus128: SoundCoding(.opus, kilobits: 128)
        case .opus64: SoundCoding(.opus, kilobits: 64)
        case .aac128: SoundCoding(.aac, kilobits: 128)
        }
    }
}
