import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Downloads the tracks to keep: two at a time, with a lower priority than playback.
///
/// It waits while a room is buffering and while the next tracks are copied. All downloads together are limited by `pace`,
/// since a fast server could use the whole processor. After each piece it rests for as long as the piece took, or longer
/// while a room plays from a server. A full disk stops it for a minute.
@Loop
final class KeepFetching {
    private let service: KeepService
    private let rooms: RoomList
    private let ahead: ReadingAhead
    private var running: [ItemURI: Task<Void, Never>] = [:]
    /// The time of each track's last piece, and the progress at that time.
    private var pieces: [ItemURI: (atUs: Microseconds, done: Int64)] = [:]
    var pace = KeepPace()
    /// The reason why nothing is downloaded, with the end of that pause.
    private var stop: (sentence: String, untilUs: Microseconds)?
    private var alarm: (any Alarm)?

    static let atOnce = 2
    private static let whileBusy = Duration.milliseconds(200)
    private static let fullDiskUs: Microseconds = 60_000_000
    private static let longestRestUs: Microseconds = 2_000_000
    private static let shortRestUs: Microseconds = 10_000

    init(for service: KeepService, rooms: RoomList, ahead: ReadingAhead) {
        self.service = service
        self.rooms = rooms
        self.ahead = ahead
    }

    private var sources: Sources { service.sources }
    private var nowUs: Microseconds { service.clock.nowUs }

    func close() async {
        alarm?.cancel()
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
    }

    // MARK: Choosing

    /// Starts possible downloads, and schedules the next try.
    func consider() {
        guard !service.isClosed, !sources.hold.isOn, let store = service.store else { return }
        if let stop, stop.untilUs <= nowUs { self.stop = nil }
        let able = sources.able(to: .download).intersection(sources.present)
        while running.count < Self.atOnce, stop == nil, !able.isEmpty, service.plan.bytes < service.limit,
            let uri = service.plan.next(
                except: Set(running.keys), nowUs: nowUs, isAble: { [sources] in able.contains(sources.name(of: $0)) })
        {
            begin(uri, store)
        }
        service.showSoon()
        wait(until: stop?.untilUs ?? (running.isEmpty ? nextTryUs : nil))
    }

    /// The time of the next try. A track that is due but not downloaded waits for its source, which reports when it is back.
    private var nextTryUs: Microseconds? {
        service.plan.nextTryUs().map { $0 > nowUs ? $0 : nowUs + Self.fullDiskUs }
    }

    private func wait(until dueUs: Microseconds?) {
        alarm?.cancel()
        alarm = nil
        guard let dueUs else { return }
        alarm = service.clock.after(.microseconds(max(100_000, dueUs - nowUs))) { [weak self] in
            self?.alarm = nil
            self?.consider()
        }
    }

    /// Resumes after copies were dropped or the limit was changed.
    func hasRoomAgain() {
        stop = nil
        service.plan.forgetTroubles { _ in true }
        consider()
    }

    /// The reason why downloads have stopped while tracks are missing.
    var sentence: String? {
        if let stop { return stop.sentence }
        guard running.isEmpty, service.plan.wholeCount < service.plan.tracks.count else { return nil }
        if service.plan.bytes >= service.limit {
            return "The limit of what may be kept is reached, and \(service.plan.tracks.count - service.plan.wholeCount) tracks wait."
        }
        return service.plan.tracks.values.lazy.filter { $0.bytes == nil }.compactMap(\.trouble?.sentence).first ?? sources.problems.first
    }

    var shown: [KeepingSection.Fetching] {
        running.keys.sorted { $0.text < $1.text }.compactMap { uri in
            guard let track = service.plan.tracks[uri], track.bytes == nil else { return nil }
            return .init(title: track.title, percent: service.plan.mark(of: uri)?.percent ?? 0)
        }
    }

    // MARK: Fetching

    private func begin(_ uri: ItemURI, _ store: any KeptTracks) {
        pieces[uri] = nil
        running[uri] = Task(executorPreference: Loop.jobs) { [weak self] in await self?.fetch(uri, store) }
    }

    private func ended(_ uri: ItemURI) {
        running[uri] = nil
        pieces[uri] = nil
        guard !service.isClosed else { return }
        service.changed()
        consider()
    }

    private func fetch(_ uri: ItemURI, _ store: any KeptTracks) async {
        do throws(SourceFault) {
            let track = try await sources.download(uri)
            let most = max(0, service.limit - service.plan.bytes)
            let mayGoOn: @Sendable (KeepPlan.Progress) async -> Bool = { [weak self] in await self?.mayGoOn(with: uri, $0) ?? false }
            let bytes = try await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
                try await store.fetch(track, of: uri, most: most, while: mayGoOn)
            }
            service.plan.finished(uri, bytes: bytes)
        } catch {
            failed(uri, error)
        }
        ended(uri)
    }

    private func failed(_ uri: ItemURI, _ fault: SourceFault) {
        guard !service.isClosed, service.plan.tracks[uri] != nil else { return }
        service.plan.note(nil, of: uri)
        switch fault.code {
        case .quota:
            if stop == nil { service.log(.warning, fault.sentence) }
            stop = (fault.sentence, nowUs + Self.fullDiskUs)
        case .notFound, .gone:
            service.plan.failed(uri, fault.sentence, nowUs: nowUs, isGone: fault.code == .notFound)
            service.review.noteLeft(uri)
        default:
            service.plan.failed(uri, fault.sentence, nowUs: nowUs)
            if fault.code == .unavailable, let connector = sources.usable(sources.name(of: uri)) { sources.checkAfterFailure(connector) }
        }
        service.log(.debug, "A track was not kept yet: \(fault.sentence)")
    }

    /// Waits while playback needs the server or the disk. False when the track is not wanted any more.
    private func mayGoOn(with uri: ItemURI, _ progress: KeepPlan.Progress) async -> Bool {
        service.plan.note(progress, of: uri)
        service.showSoon()
        if let piece = pieces[uri] {
            let longest = rooms.all.contains(where: playsFromServer) ? Self.longestRestUs : Self.shortRestUs
            let dueUs = pace.book(progress.done - piece.done, sinceUs: piece.atUs)
            let restUs = max(min(nowUs - piece.atUs, longest), dueUs - nowUs)
            if restUs > 1_000 { await pause(.microseconds(restUs)) }
        }
        while isWanted(uri), rooms.all.contains(where: { $0.room.timeline.state == .buffering }) || ahead.isCopying {
            await pause(Self.whileBusy)
        }
        pieces[uri] = (nowUs, progress.done)
        return isWanted(uri)
    }

    private func isWanted(_ uri: ItemURI) -> Bool {
        !service.isClosed && !Task.isCancelled && service.plan.tracks[uri] != nil && service.plan.bytes <= service.limit
    }

    private func playsFromServer(_ live: LiveRoom) -> Bool {
        guard live.isPlaying, let uri = live.room.currentEntry?.uri else { return false }
        return sources.remoteNames.contains(sources.name(of: uri)) && sources.keptTracks?.has(uri) != true
    }

    private func pause(_ time: Duration) async {
        await withCheckedContinuation { waiting in _ = service.clock.after(time) { waiting.resume() } }
    }
}
