import BatonCore
import BatonProtocol
import BatonSeams

/// The sections that show a room.
extension Room {
    /// The sections that show these facets.
    func sections(_ touched: Facets) -> [SectionNews] {
        var news: [SectionNews] = []
        // Most changes show in a section and in its form for a watch.
        news.reserveCapacity(2)
        if touched.contains(.now) { showNow(&news) }
        if touched.contains(.timeline) { showTimeline(&news) }
        if touched.contains(.volume) { showVolume(&news) }
        if touched.contains(.modes) { showModes(&news) }
        if touched.contains(.queue) { showQueue(&news) }
        if touched.contains(.room) { showName(&news) }
        if touched.contains(.sleep) { showSleep(&news) }
        if touched.contains(.book) { showBook(&news) }
        // The queue section also shows the next entry, which depends on the modes.
        if touched.contains(.modes) || touched.contains(.now), !touched.contains(.queue) { showQueue(&news) }
        // The timeline's end is known with the item.
        if touched.contains(.now), !touched.contains(.timeline) { showTimeline(&news) }
        return news
    }

    private func showNow(_ news: inout [SectionNews]) {
        guard let entry = currentEntry else {
            news.append(SectionNews(removing: .now))
            return news.append(SectionNews(removing: .watchItem))
        }
        let now = NowSection(
            entry: entry.id, uri: entry.uri, tags: entry.tags, format: entry.format, sinceUs: currentSinceUs, elsewhere: elsewhere)
        news.append(SectionNews(.now(now)))
        news.append(SectionNews(.watchItem(WatchItem(now))))
    }

    private func showTimeline(_ news: inout [SectionNews]) {
        let line = timeline
        let section = TimelineSection(
            entry: line.entry, positionMs: line.positionMs, atUs: line.atUs, rate: line.rate, state: .init(name: line.state.rawValue),
            isLive: currentEntry?.tags.isLive ?? false, behindMs: line.behindMs, pastMs: line.reachMs)
        news.append(SectionNews(.timeline(section)))
        news.append(SectionNews(.watchLine(WatchLine(section))))
    }

    private func showVolume(_ news: inout [SectionNews]) {
        let section = VolumeSection(
            level: volume.level, isMuted: volume.muted, range: volume.floor...volume.ceiling, loweredFrom: volume.loweredFrom)
        news.append(SectionNews(.volume(section)))
        news.append(SectionNews(.watchVolume(WatchVolume(section))))
    }

    private func showModes(_ news: inout [SectionNews]) {
        let section = ModesSection(modes)
        news.append(SectionNews(.modes(section)))
        news.append(SectionNews(.watchModes(WatchModes(section))))
    }

    private func showQueue(_ news: inout [SectionNews]) {
        let next = following
        let section = QueueSection(
            revision: queue.revision, length: queue.count, index: queue.currentIndex, current: queue.current, next: next?.id,
            nextText: next.map { $0.tags.oneLine }, undo: queue.history.undoable?.kind)
        news.append(SectionNews(.queue(section)))
    }

    private func showBook(_ news: inout [SectionNews]) {
        guard let index = shownChapter, let entry = queue.current, let chapter = chapter(index) else {
            news.append(SectionNews(removing: .book))
            return news.append(SectionNews(removing: .watchBook))
        }
        let section = BookSection(
            entry: entry, number: index + 1, count: chapters.count, title: chapter.title, startMs: chapter.startMs, endMs: chapter.endMs)
        news.append(SectionNews(.book(section)))
        news.append(SectionNews(.watchBook(WatchBook(section))))
    }

    private func showSleep(_ news: inout [SectionNews]) {
        let section: SleepSection
        if let timer = sleep {
            section = SleepSection(
                end: timer.end, count: timer.end == .track || timer.end == .chapter ? timer.count : nil, leftMs: timer.line.leftMs,
                atMs: Milliseconds(timer.line.atUs), rate: timer.line.rate, fadeMs: timer.fadeMs)
        } else if sleepPositions.asleep?.isOffered == true {
            section = .over
        } else {
            news.append(SectionNews(removing: .sleep))
            return news.append(SectionNews(removing: .watchSleep))
        }
        news.append(SectionNews(.sleep(section)))
        news.append(SectionNews(.watchSleep(WatchSleep(section))))
    }

    private func showName(_ news: inout [SectionNews]) {
        news.append(SectionNews(.watchRoom(WatchRoom(name))))
        let problem = outputProblem ?? problem
        news.append(problem.map { SectionNews(.watchProblem(WatchProblem($0))) } ?? SectionNews(removing: .watchProblem))
    }
}

extension Tags {
    /// One line of text that identifies the entry.
    var oneLine: String {
        if let streamTitle { return streamTitle }
        guard let artist = artists.first else { return title }
        return "\(artist) – \(title)"
    }
}
