import BatonCore
import BatonProtocol
import BatonWire

/// How a room looks on the board.
extension Room {
    /// Each facet of a room is shown in these sections.
    private static let views: [(facet: Facets, make: @Sendable (Room) -> [EncodedSection])] = [
        (.now, showNow), (.timeline, showTimeline), (.volume, showVolume), (.modes, showModes), (.queue, showQueue), (.room, showName),
    ]

    func sections(_ touched: Facets) -> [EncodedSection] {
        var sections: [EncodedSection] = []
        for view in Self.views where touched.contains(view.facet) { sections += view.make(self) }
        // What comes next is shown with the queue, and changes with the modes too.
        if touched.contains(.modes) || touched.contains(.now), !touched.contains(.queue) { sections += Self.showQueue(self) }
        // Whether it has an end is known with the item.
        if touched.contains(.now), !touched.contains(.timeline) { sections += Self.showTimeline(self) }
        return sections
    }

    private static func showNow(_ room: Room) -> [EncodedSection] {
        guard let entry = room.currentEntry else { return [EncodedSection(.now, nil), EncodedSection(.watchItem, nil)] }
        let now = NowSection(entry: entry.id, uri: entry.uri, tags: entry.tags, format: entry.format, sinceUs: room.currentSinceUs)
        return [EncodedSection(now), EncodedSection(WatchItem(now))]
    }

    private static func showTimeline(_ room: Room) -> [EncodedSection] {
        let line = room.timeline
        let section = TimelineSection(
            entry: line.entry, positionMs: line.positionMs, atUs: line.atUs, rate: line.rate, state: .init(name: line.state.rawValue),
            isLive: room.currentEntry?.tags.kind == .station)
        return [EncodedSection(section), EncodedSection(WatchLine(section))]
    }

    private static func showVolume(_ room: Room) -> [EncodedSection] {
        let rail = room.volume
        let section = VolumeSection(level: rail.level, isMuted: rail.muted, range: rail.floor...rail.ceiling)
        return [EncodedSection(section), EncodedSection(WatchVolume(section))]
    }

    private static func showModes(_ room: Room) -> [EncodedSection] {
        let section = ModesSection(room.modes)
        return [EncodedSection(section), EncodedSection(WatchModes(section))]
    }

    private static func showQueue(_ room: Room) -> [EncodedSection] {
        let next = room.upcoming
        return [
            EncodedSection(
                QueueSection(
                    revision: room.queue.revision, length: room.queue.count, index: room.queue.currentIndex, current: room.queue.current,
                    next: next?.id, nextText: next.map { $0.tags.oneLine }, undo: room.queue.history.undoable?.kind))
        ]
    }

    private static func showName(_ room: Room) -> [EncodedSection] {
        let problem = room.outputProblem ?? room.problem
        return [
            EncodedSection(WatchRoom(room.name)),
            problem.map { EncodedSection(WatchProblem($0)) } ?? EncodedSection(.watchProblem, nil),
        ]
    }
}

extension Tags {
    /// Enough to recognise it by.
    var oneLine: String {
        if let streamTitle { return streamTitle }
        guard let artist = artists.first else { return title }
        return "\(artist) – \(title)"
    }
}

extension SectionSet {
    /// Those that belong to a room; the hub's own travel once, with the first room.
    var roomScoped: SectionSet { SectionSet(filter { $0.scope == .room }) }
}
