import BatonCore
import BatonProtocol
import BatonSeams

/// The sections that show a room.
extension Room {
    /// Each facet of a room is shown in these sections.
    private static let views: [(facet: Facets, make: @Sendable (Room) -> [SectionNews])] = [
        (.now, showNow), (.timeline, showTimeline), (.volume, showVolume), (.modes, showModes), (.queue, showQueue), (.room, showName),
        (.sleep, showSleep), (.book, showBook),
    ]

    func sections(_ touched: Facets) -> [SectionNews] {
        var sections: [SectionNews] = []
        for view in Self.views where touched.contains(view.facet) { sections += view.make(self) }
        // What comes next is shown with the queue, and changes with the modes too.
        if touched.contains(.modes) || touched.contains(.now), !touched.contains(.queue) { sections += Self.showQueue(self) }
        // Whether it has an end is known with the item.
        if touched.contains(.now), !touched.contains(.timeline) { sections += Self.showTimeline(self) }
        return sections
    }

    private static func showNow(_ room: Room) -> [SectionNews] {
        guard let entry = room.currentEntry else { return [SectionNews(removing: .now), SectionNews(removing: .watchItem)] }
        let now = NowSection(
            entry: entry.id, uri: entry.uri, tags: entry.tags, format: entry.format, sinceUs: room.currentSinceUs,
            elsewhere: room.elsewhere)
        return [SectionNews(.now(now)), SectionNews(.watchItem(WatchItem(now)))]
    }

    private static func showTimeline(_ room: Room) -> [SectionNews] {
        let line = room.timeline
        let section = TimelineSection(
            entry: line.entry, positionMs: line.positionMs, atUs: line.atUs, rate: line.rate, state: .init(name: line.state.rawValue),
            isLive: room.currentEntry?.tags.isLive ?? false, behindMs: line.behindMs, pastMs: line.reachMs)
        return [SectionNews(.timeline(section)), SectionNews(.watchLine(WatchLine(section)))]
    }

    private static func showVolume(_ room: Room) -> [SectionNews] {
        let rail = room.volume
        let section = VolumeSection(
            level: rail.level, isMuted: rail.muted, range: rail.floor...rail.ceiling, loweredFrom: rail.loweredFrom)
        return [SectionNews(.volume(section)), SectionNews(.watchVolume(WatchVolume(section)))]
    }

    private static func showModes(_ room: Room) -> [SectionNews] {
        let section = ModesSection(room.modes)
        return [SectionNews(.modes(section)), SectionNews(.watchModes(WatchModes(section)))]
    }

    private static func showQueue(_ room: Room) -> [SectionNews] {
        let next = room.upcoming
        return [
            SectionNews(
                .queue(
                    QueueSection(
                        revision: room.queue.revision, length: room.queue.count, index: room.queue.currentIndex,
                        current: room.queue.current, next: next?.id, nextText: next.map { $0.tags.oneLine },
                        undo: room.queue.history.undoable?.kind)))
        ]
    }

    private static func showBook(_ room: Room) -> [SectionNews] {
        guard let index = room.shownChapter, let entry = room.queue.current, let chapter = room.chapter(index) else {
            return [SectionNews(removing: .book), SectionNews(removing: .watchBook)]
        }
        let section = BookSection(entry: entry, number: index + 1, count: room.chapters.count, chapter: chapter)
        return [SectionNews(.book(section)), SectionNews(.watchBook(WatchBook(section)))]
    }

    private static func showSleep(_ room: Room) -> [SectionNews] {
        guard let timer = room.sleep else {
            guard room.sleepPlaces.asleep?.isOffered == true else {
                return [SectionNews(removing: .sleep), SectionNews(removing: .watchSleep)]
            }
            return [SectionNews(.sleep(.over)), SectionNews(.watchSleep(WatchSleep(.over)))]
        }
        let section = SleepSection(
            timer.end, count: timer.count, leftMs: timer.line.leftMs, atMs: timer.line.atUs / 1000, rate: timer.line.rate,
            fadeMs: timer.fadeMs)
        return [SectionNews(.sleep(section)), SectionNews(.watchSleep(WatchSleep(section)))]
    }

    private static func showName(_ room: Room) -> [SectionNews] {
        let problem = room.outputProblem ?? room.problem
        return [
            SectionNews(.watchRoom(WatchRoom(room.name))),
            problem.map { SectionNews(.watchProblem(WatchProblem($0))) } ?? SectionNews(removing: .watchProblem),
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
