import BatonCore
import BatonProtocol
import BatonSeams

/// The queue of one room in the order of its songs, kept while the room has connections.
///
/// It follows the hub's steps, so that most commands cost no look at the whole queue.
@Loop
final class QueueMirror {
    let room: RoomID
    private let queues: any QueueReading
    private let state: HubState
    private(set) var versions: QueueVersions
    /// The number of the last step that was followed.
    private var step: Int
    private var wasStopped = true
    private var lastCurrent: EntryID?
    /// The entry behind the current one that was removed last.
    private var successor: EntryID?
    /// Whether a stopped room has a song. The hub always has a current entry; the original has none before something has played, and after the end of
    /// the queue.
    private var showsSong = false
    private var toldVersion: UInt32 = 0
    private var toldFace: PlayerFace?
    /// The revision of the state that was looked at.
    private var seen = -1
    private var status: (update: Int?, text: StatusText)?
    /// The song that was described last, so that a client which asks once a second costs the disk nothing.
    var described: DescribedSong?

    init(_ room: RoomID, _ ports: DialectPorts) {
        self.room = room
        queues = ports.queues
        state = ports.state
        step = -1
        versions = QueueVersions([], version: 0)
        reload(isFirst: true)
        noteState()
        _ = news()
    }

    var songs: [EntryID] { versions.songs }

    /// The current song as the protocol sees it.
    var current: EntryID? { !wasStopped || showsSong ? lastCurrent : nil }

    /// Takes over what has changed. Costs little where nothing has.
    func refresh() {
        let newest = queues.step(of: room) ?? step
        guard newest != step || state.revision != seen else { return }
        if newest != step { follow(to: newest) }
        seen = state.revision
        status = nil
        noteState()
    }

    // MARK: Status

    /// The answer to `status` in a room without a problem that a client has hidden.
    func status(updating update: Int?) -> StatusText {
        if let status, status.update == update { return status.text }
        let text = status(updating: update, hiding: nil)
        status = (update, text)
        return text
    }

    /// The same without this problem.
    func status(updating update: Int?, hiding problem: String?) -> StatusText {
        let view = RoomView(state, room)
        var status = RoomStatus()
        status.volume = view.volume?.level
        status.modes = view.modes
        status.partition = room.text
        status.version = versions.version
        status.length = songs.count
        status.state = view.playing
        status.update = update
        status.problem = view.problem.flatMap { $0 == problem ? nil : $0 }
        let shown = view.queue
        guard let current, let place = place(of: current, in: shown) else { return StatusText(status, nil) }
        let now = view.now
        status.song = RoomStatus.Song(place: place, id: current)
        status.durationMs = now?.tags.durationMs.map { Int($0) }
        status.format = now?.format?.text
        status.next = shown?.next.flatMap { next in versions.place(of: next).map { RoomStatus.Song(place: $0, id: next) } }
        return StatusText(status, view.timeline)
    }

    /// The place of an entry, which for the current one is known.
    private func place(of entry: EntryID, in shown: QueueSection?) -> Int? {
        if let shown, shown.current == entry, let index = shown.index, songs.indices.contains(index), songs[index] == entry { return index }
        return versions.place(of: entry)
    }

    /// Takes over what has changed, and says what connections have not been told of yet.
    func news() -> Events {
        refresh()
        var events: Events = []
        if versions.version != toldVersion { events.insert(.playlist) }
        let face = PlayerFace(state, room, showsSong: showsSong)
        if face != toldFace { events.insert(.player) }
        (toldVersion, toldFace) = (versions.version, face)
        return events
    }

    /// Called when the queue was played through by a command of this dialect.
    func hideSong() {
        showsSong = false
        status = nil
    }

    /// Rows of the queue from a place on.
    func rows(_ places: Range<Int>) -> [QueueRow] {
        guard !places.isEmpty else { return [] }
        return queues.page(of: room, from: places.lowerBound, count: places.count)?.rows ?? []
    }

    // MARK: Following

    private func follow(to newest: Int) {
        guard let news = queues.news(of: room, since: step), !news.isReset, let ops = news.ops else { return reload() }
        var songs = versions.songs
        for op in ops {
            guard Self.apply(op, to: &songs) else { return reload() }
        }
        if news.length != nil, news.length != songs.count { return reload() }
        step = newest
        let version = UInt32(truncatingIfNeeded: news.revision)
        noteRemoval(songs)
        versions.take(songs, version: version)
        for row in news.rows {
            versions.describe(row.entry, version: version)
            if described?.entry == row.entry { described = nil }
        }
    }

    private func reload(isFirst: Bool = false) {
        guard let newest = queues.step(of: room), let page = queues.page(of: room, from: 0, count: .max) else { return }
        step = newest
        described = nil
        let songs = page.rows.map(\.entry)
        let version = UInt32(truncatingIfNeeded: page.revision)
        noteRemoval(songs)
        if isFirst { versions = QueueVersions(songs, version: version) } else { versions.take(songs, version: version) }
    }

    /// Returns false for a step that does not fit.
    private static func apply(_ op: QueueOps.Op, to songs: inout [EntryID]) -> Bool {
        switch op {
        case .insert(let anchor, let ids): return insert(ids, behind: anchor, in: &songs)
        case .delete(let ids):
            let gone = Set(ids)
            songs.removeAll { gone.contains($0) }
            return true
        case .move(let ids, let anchor):
            let moved = Set(ids)
            songs.removeAll { moved.contains($0) }
            return insert(ids, behind: anchor, in: &songs)
        case .current: return true
        case .unrecognised: return false
        }
    }

    private static func insert(_ ids: [EntryID], behind anchor: EntryID?, in songs: inout [EntryID]) -> Bool {
        guard let anchor else {
            songs.insert(contentsOf: ids, at: 0)
            return true
        }
        guard let place = songs.lastIndex(of: anchor) else { return false }
        songs.insert(contentsOf: ids, at: place + 1)
        return true
    }

    // MARK: The song of a stopped room

    private func noteState() {
        let isStopped = if case .timeline(let line)? = state.posted(.timeline, of: room)?.value { line.state == .stopped } else { true }
        let current: EntryID? = if case .now(let now)? = state.posted(.now, of: room)?.value { now.entry } else { nil }
        defer { (wasStopped, lastCurrent) = (isStopped, current) }
        guard isStopped, current != nil else {
            showsSong = !isStopped
            return
        }
        guard !wasStopped else { return }
        // At the end of the queue the room goes back to the first entry. After the removal of what played, the entry behind it is current.
        showsSong = current == lastCurrent || current == successor
    }

    /// Notes the entry behind the current one, where that leaves the queue.
    private func noteRemoval(_ songs: [EntryID]) {
        successor = nil
        guard let lastCurrent, !songs.contains(lastCurrent), let place = versions.place(of: lastCurrent) else { return }
        // The song with which a stopped room would go on is gone, and the original then has none.
        if wasStopped { showsSong = false }
        let left = Set(songs)
        successor = versions.songs[(place + 1)...].first { left.contains($0) }
    }
}

/// The player as clients see it. Which entry is current in a stopped room that shows no song is none of it.
private struct PlayerFace: Equatable {
    private var entry: EntryID?
    private var timeline: TimelineSection?

    @Loop
    init(_ state: HubState, _ room: RoomID, showsSong: Bool) {
        let view = RoomView(state, room)
        guard view.playing != .stop || showsSong else { return }
        entry = view.now?.entry
        if view.playing != .stop { timeline = view.timeline }
    }
}
