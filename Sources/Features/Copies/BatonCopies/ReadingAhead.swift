import BatonCore
import BatonKernel
package import BatonSeams

/// Copies the next two entries of each playing room to this machine's disk, and then the current one, one after the other and
/// with a lower priority than playback. So recent tracks can be played again while their server is down, until their copies
/// are replaced. In a room with stream listeners the current entry comes first.
@Loop
package final class ReadingAhead {
    private let rooms: RoomList
    private let sources: Sources
    private let streams: any StreamListening
    private let clock: HubClock
    private let log: Log
    private var alarm: (any Alarm)?
    private var working: Task<Void, Never>?
    /// The time until which each failed track is not tried again.
    private var refusedUntilUs: [ItemURI: Microseconds] = [:]
    private var isClosed = false
    /// True while a track is copied.
    var isCopying: Bool { working != nil }

    private static let entries = 2
    /// Delay after a change, in which the player has the network for itself.
    private static let delay = Duration.seconds(1)
    private static let refusalUs: Microseconds = 300_000_000
    private static let mostRefusals = 200
    private static let whileBuffering = Duration.milliseconds(200)

    init(rooms: RoomList, sources: Sources, streams: any StreamListening, clock: HubClock, log: Log) {
        self.rooms = rooms
        self.sources = sources
        self.streams = streams
        self.clock = clock
        self.log = log
    }

    /// Schedules a look. It is called for each change of a room, so it does no more.
    package func roomChanged() {
        guard alarm == nil, working == nil, !isClosed, sources.keeping != nil else { return }
        alarm = clock.after(Self.delay) { [weak self] in
            guard let self else { return }
            alarm = nil
            if let keeping = sources.keeping, next(keeping) != nil { begin(keeping) }
        }
    }

    func close() async {
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

    /// The first wanted track without a copy.
    private func next(_ keeping: any TrackKeeping) -> ItemURI? {
        let able = sources.able(to: .download).intersection(sources.present)
        guard !able.isEmpty else { return nil }
        return wanted.first { uri in
            able.contains(sources.name(of: uri)) && !keeping.has(uri) && sources.keptTracks?.has(uri) != true
                && (refusedUntilUs[uri].map { $0 <= clock.nowUs } ?? true)
        }
    }

    /// The wanted tracks. Copying the current one loads it a second time, so this is left out for metered sources.
    private var wanted: [ItemURI] {
        let playing = rooms.all.map(\.room).filter(\.isPlaying)
        // A stream is encoded from the copy of the current entry.
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

    /// Waits while a room is buffering. False when the track is not wanted any more.
    private func mayGoOn(with uri: ItemURI) async -> Bool {
        while !isClosed, wanted.contains(uri) || rooms.all.contains(where: { $0.room.currentEntry?.uri == uri }) {
            guard rooms.all.contains(where: { $0.room.timeline.state == .buffering }) else { return true }
            await withCheckedContinuation { waiting in _ = clock.after(Self.whileBuffering) { waiting.resume() } }
        }
        return false
    }
}
