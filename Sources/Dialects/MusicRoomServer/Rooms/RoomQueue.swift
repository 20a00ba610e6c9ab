/// The encoded queue of one room. It is encoded off the loop, when it has changed and a client wants it.
import BatonCore
import BatonProtocol
import BatonSeams

@Loop
final class RoomQueue {
    /// An encoded queue.
    struct Shown {
        var queue: SentQueue
        var text: [UInt8]
        var tracks: [EntryID: RoomTrack]
    }

    let room: RoomID
    /// The object to notify when a newly written queue can be sent.
    private weak var server: MusicRoomServer?
    private let ports: DialectPorts
    private let names: TrackNames
    private(set) var sent = SentQueues()
    private(set) var shown: Shown?
    /// Number of the queue's version, as clients see it.
    private(set) var version = 0
    private var making: Task<Void, Never>?
    private var mustMakeAgain = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Limit of entries that are sent; those behind are only counted. A queue of 10,000 would be megabytes for each client.
    static let most = 2_000

    init(_ room: RoomID, _ server: MusicRoomServer) {
        self.room = room
        self.server = server
        ports = server.ports
        names = server.names
    }

    var revision: Int? {
        guard case .queue(let section)? = ports.state.posted(.queue, of: room)?.value else { return nil }
        return section.revision
    }

    var isCurrent: Bool { shown != nil && shown?.queue.revision == revision && !mustMakeAgain }

    /// Encodes the queue unless it is current. Returns at once.
    func refresh() {
        guard !isCurrent else { return }
        if making == nil { make() } else { mustMakeAgain = true }
    }

    /// Encodes the queue again, since its tracks may have other ids.
    func renew() {
        guard shown != nil else { return }
        if making == nil { make() } else { mustMakeAgain = true }
    }

    /// The current queue; `nil` if the room is gone.
    func current() async -> Shown? {
        while revision != nil, !isCurrent {
            refresh()
            await withCheckedContinuation { waiting.append($0) }
        }
        return revision == nil ? nil : shown
    }

    private func make() {
        making = Task(executorPreference: Loop.jobs) { [weak self] in
            await self?.read()
            await self?.finish()
        }
    }

    private func read() async {
        repeat {
            mustMakeAgain = false
            guard var page = ports.queues.page(of: room, from: 0, count: Self.most) else { return }
            let sentCount = page.rows.count
            page.rows += currentRow(behind: page)
            let called = await names.names(of: page.rows.compactMap(\.uri))
            let rows = page.rows
            let made = await withTaskExecutorPreference(ports.media.blockingPool) {
                await Self.write(rows, sentCount: sentCount, names: called)
            }
            if Task.isCancelled { return }
            if shown?.text != made.text { version += 1 }
            shown = Shown(
                queue: sent.note(rows.prefix(sentCount).map(\.entry), revision: page.revision), text: made.text, tracks: made.tracks)
        } while mustMakeAgain || (revision != nil && shown?.queue.revision != revision)
    }

    /// The current entry, which is sent even if it is behind the limit.
    private func currentRow(behind page: QueuePage) -> [QueueRow] {
        guard let current = page.current, page.length > page.rows.count, !page.rows.contains(where: { $0.entry == current }),
            case .queue(let section)? = ports.state.posted(.queue, of: room)?.value, let index = section.index
        else { return [] }
        return ports.queues.page(of: room, from: index, count: 1)?.rows.filter { $0.entry == current } ?? []
    }

    private func finish() {
        making = nil
        let waiting = waiting
        self.waiting = []
        for one in waiting { one.resume() }
        server?.queueWritten(room)
    }

    func close() { making?.cancel() }

    private nonisolated static func write(
        _ rows: [QueueRow], sentCount: Int, names: [ItemURI: TrackName]
    ) async -> (text: [UInt8], tracks: [EntryID: RoomTrack]) {
        var text = RoomText()
        var tracks: [EntryID: RoomTrack] = [:]
        for row in rows { tracks[row.entry] = track(of: row, row.uri.flatMap { names[$0] }) }
        text.list(rows.prefix(sentCount)) { text, row in tracks[row.entry]?.write(into: &text) }
        return (text.bytes, tracks)
    }

    private nonisolated static func track(of row: QueueRow, _ name: TrackName?) -> RoomTrack {
        RoomTrack(id: name?.id.description ?? "entry:\(row.entry)", filename: name?.file ?? row.tags.title, row.tags)
    }
}
