import BatonCore
import BatonKernel
import BatonSeams

/// Plays books without their silences in rooms that want that. It finds the silences ahead of time, off the loop, and gives
/// players the remaining parts.
///
/// An item whose silences are unknown plays whole, and continues without them once they are found. Only files on the hub's
/// disk are searched; streams of servers play unchanged. The results are not stored across restarts.
@Loop
final class SilenceService: PlayablePreparing {
    private let sources: Sources
    private let rooms: RoomList
    private let changes: RoomChanges
    private let log: Log
    private var finder: (any SilenceFinding)?
    private var isOpen = false
    private var known: [ItemURI: Found] = [:]
    /// The items in `known`, the last searched one at the end.
    private var order: [ItemURI] = []
    private var waiting: Set<ItemURI> = []
    /// The entries that players have, and whether each plays without its silences.
    private var given: [RoomID: [EntryID: Bool]] = [:] {
        didSet { hasTrimmed = given.values.contains { $0.values.contains(true) } }
    }
    /// True while a player has an entry without its silences.
    private var hasTrimmed = false
    private let queue = BackgroundQueue()
    private var isClosed = false

    private struct Found {
        /// The marks of the searched files. The files themselves would stay open, so they are not stored.
        var files: [FileMark]
        /// The parts to skip; `nil` when there are none.
        var trim: Playable.Trim?
    }

    private struct FileMark: Equatable {
        let path: String
        let stamp: FileStamp

        init(_ file: NamedFile) { (path, stamp) = (file.path, file.content.stamp) }
    }

    /// Limit on known items.
    private static let most = 50

    init(sources: Sources, rooms: RoomList, changes: RoomChanges, log: Log) {
        self.sources = sources
        self.rooms = rooms
        self.changes = changes
        self.log = log
    }

    func open(_ finder: any SilenceFinding) {
        self.finder = finder
        isOpen = true
        for live in rooms.all { roomChanged(live) }
    }

    func close() async {
        isClosed = true
        await queue.finish()
    }

    // MARK: Rooms

    /// Called at each change of a room.
    func roomChanged(_ live: LiveRoom) {
        guard isOpen, !isClosed else { return }
        if live.isGone { return given[live.id] = nil }
        // Most rooms want none, and their players were given none; then the entries that come need not be known.
        guard live.room.modes.trims || hasTrimmed && given[live.id]?.values.contains(true) == true else { return }
        if live.room.modes.trims {
            for entry in entries(of: live) where isWanted(entry, in: live) { look(at: entry) }
        }
        settle(live)
    }

    /// The current entry and the next one.
    private func entries(of live: LiveRoom) -> [QueueEntry] { [live.room.currentEntry, live.room.upcoming].compactMap { $0 } }

    private func isWanted(_ entry: QueueEntry, in live: LiveRoom) -> Bool {
        live.room.modes.trims && (entry.id == live.room.queue.current ? live.room.isSpoken : entry.tags.kind.isSpoken)
    }

    /// The playable form for a player.
    func asPlayed(_ playable: Playable, entry: EntryID, uri: ItemURI, in live: LiveRoom) -> Playable {
        guard finder != nil, let index = live.room.queue.index(of: entry) else { return playable }
        let item = live.room.queue.entries[index]
        let files = (playable.wholeFiles ?? []).map(FileMark.init)
        // Other files than the searched ones, or a stream instead of them, need a new search.
        if let found = known[uri], found.files != files { known[uri] = nil }
        let trim = isWanted(item, in: live) && !files.isEmpty ? known[uri]?.trim : nil
        given[live.id] = (given[live.id] ?? [:]).filter { $0.key == live.room.queue.current }
        // Another place of the same track is left unchanged, since opening it again would lead there again.
        given[live.id]?[entry] = uri == item.uri ? trim != nil : nil
        _ = changes.update(live) { room, _ in
            room.setCuts(trim?.cuts, of: entry)
            return .noop(.same)
        }
        var playable = playable
        playable.trim = trim
        return playable
    }

    /// Reopens entries that were given to the player in the wrong form.
    private func settle(_ live: LiveRoom) {
        for entry in entries(of: live) {
            guard let isTrimmed = given[live.id]?[entry.id],
                isTrimmed != (isWanted(entry, in: live) && known[entry.uri]?.trim != nil)
            else { continue }
            if entry.id == live.room.queue.current {
                // A loading entry is checked again after its start, and a stopped one with its next load.
                guard live.room.isReopenable else { continue }
                given[live.id]?[entry.id] = nil
                live.perform(changes.update(live) { room, now in room.reopen(at: now) })
            } else {
                given[live.id]?[entry.id] = nil
                live.playerOrders?.kept(entry.uri)
            }
        }
    }

    // MARK: Looking

    private func look(at entry: QueueEntry) {
        let (uri, trust) = (entry.uri, entry.trust)
        guard known[uri] == nil, waiting.insert(uri).inserted else { return }
        queue.add { [weak self] in
            await self?.find(in: uri, named: entry.tags.title, trust)
            self?.waiting.remove(uri)
        }
    }

    private func isStillWanted(_ uri: ItemURI) -> Bool {
        !isClosed && rooms.all.contains { live in entries(of: live).contains { $0.uri == uri && isWanted($0, in: live) } }
    }

    private func find(in uri: ItemURI, named title: String, _ trust: Trust) async {
        guard isStillWanted(uri), let playable = try? await sources.playable(of: uri, trust: trust) else { return }
        guard let files = playable.wholeFiles else { return store(Found(files: [], trim: nil), of: uri) }
        do throws(SourceFault) {
            guard let (cuts, beginsUs, untilMs) = try await cuts(of: files, playable, for: uri) else { return }
            let details = try? await sources.details(of: uri, trust: trust)
            let trim = Playable.Trim(
                cuts, durationMs: details?.row.tags.durationMs, chapters: await chapters(details?.chapters ?? [], of: files),
                beginsUs: beginsUs, lengthUs: files.count == 1 ? Microseconds(max(untilMs, details?.row.tags.durationMs ?? 0)) : nil)
            store(Found(files: files.map(FileMark.init), trim: cuts.isEmpty ? nil : trim), of: uri)
            log(.debug, "“\(title)” has \(cuts.cuts.count) silences, and is \(cuts.removedMs.seconds) s shorter without them.")
        } catch {
            log(.warning, "The silences of “\(title)” could not be found, so it plays whole: \(error.sentence)")
            store(Found(files: files.map(FileMark.init), trim: nil), of: uri)
        }
    }

    /// The chapters from the source, or else those in a single file, which the player would find itself in the whole file.
    private func chapters(_ known: [Chapter], of files: [NamedFile]) async -> [ChapterList.Mark] {
        var chapters = known
        if known.isEmpty, files.count == 1, let finder {
            let file = files[0]
            chapters =
                (try? await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in try finder.chapters(in: file) }) ?? []
        }
        return chapters.map { ChapterList.Mark(title: $0.title, startMs: $0.startMs) }
    }

    /// The parts to skip; `nil` when no room needs them any more.
    private func cuts(
        of files: [NamedFile], _ playable: Playable, for uri: ItemURI
    ) async throws(SourceFault) -> (SilenceCuts, beginsUs: [Microseconds], untilMs: Milliseconds)? {
        guard let finder else { return nil }
        var silences: [Range<Milliseconds>] = []
        var beginsUs: [Microseconds] = []
        var startMs: Milliseconds = 0
        for (index, file) in files.enumerated() {
            let scan = try finder.silences(in: file)
            defer { scan.close() }
            var (untilMs, beginUs): (Milliseconds, Microseconds) = (0, 0)
            while true {
                let piece = try await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in try scan.next() }
                guard isStillWanted(uri) else { return nil }
                guard let piece else { break }
                silences += piece.silences.map { $0.lowerBound + startMs..<$0.upperBound + startMs }
                (untilMs, beginUs) = (piece.untilMs, piece.beginUs)
            }
            beginsUs.append(beginUs)
            // Positions are counted as the player does.
            if case .parts(let parts) = playable.location { startMs += Milliseconds(parts[index].lengthUs) } else { startMs += untilMs }
        }
        let all = silences
        let cuts = try await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in SilenceCuts(silences: all) }
        return (cuts, beginsUs, startMs)
    }

    private func store(_ found: Found, of uri: ItemURI) {
        known[uri] = found
        order.removeAll { $0 == uri }
        order.append(uri)
        if order.count > Self.most { known[order.removeFirst()] = nil }
        for live in rooms.all { settle(live) }
    }
}

extension Playable {
    /// The files of an item that is completely on the hub's own disk.
    fileprivate var wholeFiles: [NamedFile]? {
        guard !isLive, startMs == nil, endMs == nil else { return nil }
        switch location {
        case .file(let file): return [file]
        case .parts(let parts): return parts.map(\.file)
        case .url, .bytes: return nil
        }
    }
}
