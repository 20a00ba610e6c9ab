/// The queue of one room, written as clients get it: made anew, off the loop, when it has changed and a client wants it.
import BatonCore
import BatonProtocol
import BatonSeams
import MusicRoomWire

@Loop
final class RoomQueue {
    /// A queue that can be sent.
    struct Shown {
        var queue: SentQueue
        var text: [UInt8]
        var tracks: [EntryID: RoomTrack]
    }

    let room: RoomID
    /// Hears when another queue can be sent.
    private weak var server: MusicRoomServer?
    private let ports: DialectPorts
    private let names: TrackNames
    private(set) var sent = SentQueues()
    private(set) var shown: Shown?
    /// Counts what clients would see as another queue.
    private(set) var version = 0
    private var making: Task<Void, Never>?
    private var mustMakeAgain = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Entries behind these are counted and not sent: a queue of 10,000 would be megabytes for each client.
    static let most = 2_000

    init(_ room: RoomID, _ server: MusicRoomServer) {
        self.room = room
        self.server = server
        ports = server.ports
        names = server.names
    }

    /// Of the queue as it is now.
    var revision: Int? {
        guard case .queue(let section)? = ports.state.posted(.queue, of: room)?.value else { return nil }
        return section.revision
    }

    var isCurrent: Bool { shown != nil && shown?.queue.revision == revision && !mustMakeAgain }

    /// Makes the queue anew unless it is current. Returns at once.
    func refresh() {
        guard !isCurrent else { return }
        if making == nil { make() } else { mustMakeAgain = true }
    }

    /// Its tracks may have other ids by now.
    func renew() {
        guard shown != nil else { return }
        if making == nil { make() } else { mustMakeAgain = true }
    }

    /// The queue as it is now; `nil` when the room is gone.
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
            let made = await withTaskExecutorPreference(ports.media.blockingPool) { await Self.write(rows, sentCount, called) }
            if Task.isCancelled { return }
            if shown?.text != made.text { version += 1 }
            shown = Shown(
                queue: sent.note(rows.prefix(sentCount).map(\.entry), revision: page.revision), text: made.text, tracks: made.tracks)
        } while mustMakeAgain || (revision != nil && shown?.queue.revision != revision)
    }

    /// The current entry is shown wherever it stands.
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
        _ rows: [QueueRow], _ sentCount: Int, _ names: [ItemURI: TrackName]
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
