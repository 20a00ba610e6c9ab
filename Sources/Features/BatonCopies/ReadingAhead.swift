import BatonCore
import BatonKernel
package import BatonSeams

/// Copies the next two entries of each room that plays to this machine's disk, and then what plays itself, one after the other and behind
/// whatever plays. So what was heard can be heard again while its server is away, for as long as its copy does not give way. In a room
/// that is heard as a stream, what plays comes first.
@Loop
package final class ReadingAhead {
    private let rooms: RoomList
    private let sources: Sources
    private let streams: any StreamListening
    private let clock: HubClock
    private let log: Log
    private var alarm: (any Alarm)?
    private var working: Task<Void, Never>?
    /// Tracks that could not be copied, and until when they are left alone.
    private var refusedUntilUs: [ItemURI: Int64] = [:]
    private var isClosed = false
    /// A track that plays soon is copied.
    var isCopying: Bool { working != nil }

    private static let entries = 2
    /// What plays gets this long for itself.
    private static let delay = Duration.seconds(1)
    private static let refusalUs: Int64 = 300_000_000
    private static let mostRefusals = 200
    private static let whileBuffering = Duration.milliseconds(200)

    init(_ rooms: RoomList, _ sources: Sources, _ streams: any StreamListening, _ clock: HubClock, _ log: Log) {
        self.rooms = rooms
        self.sources = sources
        self.streams = streams
        self.clock = clock
        self.log = log
    }

    /// Looks soon; called for each change of a room, so it does no more than that here.
    package func roomChanged() {
        guard sources.keeping != nil, alarm == nil, working == nil, !isClosed else { return }
        alarm = clock.after(Self.delay) { [weak self] in
            guard let self else { return }
            alarm = nil
            if let keeping = sources.keeping, next(keeping) != nil { begin(keeping) }
        }
    }

    package func close() async {
        isClosed = true
        alarm?.cancel()
        working?.cancel()
        await working?.value
    }

    private func begin(_ keeping: any TrackKeeping) {
        working = Task(executorPreference: Loop.jobs) { [weak self] in await self?.copyAll(keeping) }
    }

    private func copyAll(_ keeping: any TrackKeeping) async {
        while let uri = next(keeping), !Task.isCancelled { await copy(uri, keeping) }
        working = nil
    }

    /// The first track that is wanted and has no copy.
    private func next(_ keeping: any TrackKeeping) -> ItemURI? {
        let able = sources.able(to: .download).intersection(sources.present)
        guard !able.isEmpty else { return nil }
        return wanted.first { uri in
            able.contains(sources.name(of: uri)) && !keeping.has(uri) && sources.keptTracks?.has(uri) != true
                && (refusedUntilUs[uri].map { $0 <= clock.nowUs } ?? true)
        }
    }

    /// What is heard already comes from its server twice, so not where each byte is paid for.
    private var wanted: [ItemURI] {
        let playing = rooms.all.map(\.room).filter(\.isPlaying)
        // A stream is encoded from the copy of what plays.
        let streamed = playing.filter { streams.listenerCount(of: $0.id) > 0 }.compactMap { $0.currentEntry?.uri }
        let heard = playing.compactMap { $0.currentEntry?.uri }.filter { !sources.metered.contains(sources.name(of: $0)) }
        return streamed + playing.flatMap { $0.upcoming(Self.entries) }.map(\.uri) + heard
    }

    private func copy(_ uri: ItemURI, _ keeping: any TrackKeeping) async {
        do throws(SourceFault) {
            let track = try await sources.download(uri)
            let mayGoOn: @Sendable () async -> Bool = { [weak self] in await self?.mayGoOn(with: uri) ?? false }
            try await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
                try await keeping.keep(track, of: uri, while: mayGoOn)
            }
            sources.events.send(.copyArrived(uri))
        } catch {
            if refusedUntilUs.count >= Self.mostRefusals { refusedUntilUs = [:] }
            // A track that is not wanted any more may be wanted again at any moment.
            if error.code != .cancelled || wanted.contains(uri) { refusedUntilUs[uri] = clock.nowUs + Self.refusalUs }
            log(.debug, "A track was not read ahead: \(error.sentence)")
        }
    }

    /// Waits while a room waits for bytes itself. False when the track is not wanted any more.
    private func mayGoOn(with uri: ItemURI) async -> Bool {
        while !isClosed, wanted.contains(uri) || rooms.all.contains(where: { $0.room.currentEntry?.uri == uri }) {
            guard rooms.all.contains(where: { $0.room.timeline.state == .buffering }) else { return true }
            await withCheckedContinuation { waiting in _ = clock.after(Self.whileBuffering) { waiting.resume() } }
        }
        return false
    }
}
