package import BatonCore
import BatonKernel
import BatonProtocol
package import BatonSeams

/// Records stations: at once, until stopped, and at scheduled times. The plan is stored before a command is answered, so a
/// restart continues it.
///
/// An unavailable station is tried again for the length of its recording, and so is a full disk. Neither stops playback.
@Loop
final class RecordingService {
    private struct Row {
        /// The plan as it was ordered and stored.
        let plan: Recording
        /// The plan at its next or current time.
        var recording: Recording
        var task: Task<Void, Never>?
        var song: String?
        var sentence: String?
        /// The time of the next try.
        var retryUs: Microseconds = 0

        var shown: RadioSection.Recorded {
            RadioSection.Recorded(
                recording: recording, state: sentence != nil ? .trouble : task != nil ? .on : .due, song: song, sentence: sentence)
        }
    }

    /// Saves titles. It starts after unfinished files of an earlier run are completed, except its own.
    private let saving: TitleSaving
    private let sources: Sources
    private let clock: HubClock
    private let log: Log
    private var parts: RecordingParts?
    private var rows: [Row] = []
    /// Tasks that were told to end, and may still write.
    private var ending: [Task<Void, Never>] = []
    private let changes = BackgroundQueue()
    private var opening: Task<Void, Never>?
    private var alarm: (any Alarm)?
    private var isClosed = false
    /// The part that publishes the rows.
    weak var radio: RadioService?

    private static let retryUs: Microseconds = 10_000_000
    /// Time between two readings of the wall clock, which may be set.
    private static let longestMs: Milliseconds = 60_000

    init(saving: TitleSaving, sources: Sources, clock: HubClock, log: Log) {
        self.saving = saving
        self.sources = sources
        self.clock = clock
        self.log = log
    }

    var shown: [RadioSection.Recorded] { rows.map(\.shown) }
    private var nowMs: Milliseconds { clock.wallMs() }

    // MARK: Opening

    func open(_ parts: RecordingParts) {
        opening = Task(executorPreference: Loop.jobs) { [weak self] in await self?.read(parts) }
    }

    private func read(_ parts: RecordingParts) async {
        do throws(SourceFault) {
            let stored = try await sources.inBlockingPool { () async throws(SourceFault) in
                _ = parts.folder.finishInterrupted(except: Set(try parts.storage.unfinishedTitles().compactMap(\.file)))
                return try parts.storage.recordings()
            }
            rows = stored.map { Row(plan: $0, recording: $0) }
            self.parts = parts
            sources.hold.whenOver { [weak self] in self?.consider() }
            if !rows.isEmpty { radio?.showRecordings() }
            sources.hold.whenOver { [weak self] in self?.saving.takeUp(parts) }
        } catch {
            let fault = FeatureFault("What is to be recorded cannot be read: \(error.sentence)")
            sources.events.send(.featureFailed(.radio, fault))
        }
    }

    func close() async {
        isClosed = true
        await opening?.value
        alarm?.cancel()
        for row in rows { row.task?.cancel() }
        for row in rows { await row.task?.value }
        for task in ending { await task.value }
        await changes.finish()
    }

    // MARK: Changing

    /// The parts, after the plan was read.
    @discardableResult
    func check() async throws(SourceFault) -> RecordingParts {
        await opening?.value
        guard let parts else {
            throw SourceFault(.unsupported, "This hub has no folder to record into. Name one in batond.conf: recordings = FOLDER.")
        }
        return parts
    }

    func stop(_ id: Int) async throws(SourceFault) -> Bool {
        let parts = try await check()
        guard let at = rows.firstIndex(where: { $0.recording.id == id }) else {
            throw SourceFault(.notFound, "There is no recording \(id).")
        }
        end(rows.remove(at: at))
        radio?.showRecordings()
        try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.removeRecording(id) }
        return true
    }

    /// Adds a recording. False when nothing changed.
    func start(
        _ uri: ItemURI, title: String, atMs: Milliseconds?, lengthMs: Milliseconds?, repeats: Recording.Repeat?
    ) async throws(SourceFault) -> Bool {
        let parts = try await check()
        let begins = atMs ?? nowMs
        let asked = Recording(uri, title: title, beginsMs: begins, endsMs: lengthMs.map { begins + $0 }, repeats: repeats)
        guard !isKept(asked, isNow: atMs == nil) else { return false }
        try check(asked)
        try await add(asked, parts)
        return true
    }

    private func isKept(_ asked: Recording, isNow: Bool) -> Bool {
        rows.contains { row in
            guard row.recording.uri == asked.uri else { return false }
            if isNow { return row.recording.isDue(atMs: nowMs) }
            return row.recording.beginsMs == asked.beginsMs && row.recording.endsMs == asked.endsMs
                && row.recording.repeats == asked.repeats
        }
    }

    private func check(_ asked: Recording) throws(SourceFault) {
        guard !asked.isOver(atMs: nowMs), asked.beginsMs - nowMs <= Recording.mostAheadMs else {
            throw SourceFault(.badRequest, "A recording begins within a year, and ends after now.")
        }
        guard rows.count < Recording.most else { throw SourceFault(.quota, "A hub keeps \(Recording.most) recordings at most.") }
    }

    private func add(_ asked: Recording, _ parts: RecordingParts) async throws(SourceFault) {
        var stored = asked
        stored.id = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.put(asked) }
        guard !isClosed else { return }
        rows.append(Row(plan: stored, recording: stored))
        consider()
        radio?.showRecordings()
    }

    // MARK: Recording

    /// Starts due recordings, ends finished ones, and schedules the next look.
    private func consider() {
        guard !isClosed, !sources.hold.isOn, let parts else { return }
        let (wallMs, nowUs) = (nowMs, clock.nowUs)
        var isOther = false
        for at in rows.indices.reversed() where rows[at].recording.isOver(atMs: wallMs) {
            end(rows[at])
            isOther = true
            let plan = rows[at].plan
            if let next = plan.occurrence(afterMs: wallMs, in: parts.zone) {
                rows[at] = Row(plan: plan, recording: next)
            } else {
                rows.remove(at: at)
                forget(plan.id, parts)
            }
        }
        for at in rows.indices where rows[at].task == nil && rows[at].recording.isDue(atMs: wallMs) && rows[at].retryUs <= nowUs {
            begin(at, parts)
            isOther = true
        }
        wait(wallMs, nowUs)
        if isOther { radio?.showRecordings() }
    }

    private func wait(_ wallMs: Milliseconds, _ nowUs: Microseconds) {
        alarm?.cancel()
        alarm = nil
        let times = rows.flatMap { row in
            [
                row.recording.beginsMs > wallMs ? row.recording.beginsMs - wallMs : nil, row.recording.endsMs.map { $0 - wallMs },
                row.retryUs > nowUs ? Milliseconds(row.retryUs - nowUs) + 1 : nil,
            ]
        }
        guard let soonest = times.compactMap({ $0 }).min() else { return }
        alarm = clock.after(.milliseconds(max(1, min(soonest, Self.longestMs)))) { [weak self] in
            self?.alarm = nil
            self?.consider()
        }
    }

    /// Removes a finished recording. After a failure the next start removes it.
    private func forget(_ id: Int, _ parts: RecordingParts) {
        changes.add { [sources, log] in
            do throws(SourceFault) {
                try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.removeRecording(id) }
            } catch {
                log(.warning, "A recording that is over was not removed from the plan: \(error.sentence)")
            }
        }
    }

    private func begin(_ at: Int, _ parts: RecordingParts) {
        let recording = rows[at].recording
        rows[at].task = Task(executorPreference: Loop.jobs) { [weak self] in await self?.record(recording, parts) }
    }

    private func end(_ row: Row) {
        guard let task = row.task else { return }
        task.cancel()
        // The oldest of these tasks have ended by now.
        if ending.count >= Recording.most { ending.removeFirst() }
        ending.append(task)
    }

    private func record(_ recording: Recording, _ parts: RecordingParts) async {
        let note: @Sendable (String) async -> Void = { [weak self] song in await self?.note(song, of: recording.id) }
        do throws(SourceFault) {
            let station = try await sources.hear(recording.uri)
            try await sources.inBlockingPool { () async throws(SourceFault) in
                try await parts.recorder.record(station, into: parts.folder, note: note)
            }
            ended(recording, "The station ended its stream.")
        } catch {
            ended(recording, error.sentence)
        }
    }

    private func note(_ song: String, of id: Int) {
        guard let at = rows.firstIndex(where: { $0.recording.id == id }), rows[at].task != nil else { return }
        rows[at].song = song
        rows[at].sentence = nil
        radio?.showRecordings()
    }

    private func ended(_ recording: Recording, _ sentence: String) {
        // A recording that was told to end is gone, or has moved to its next time if it repeats.
        guard !isClosed, let at = rows.firstIndex(where: { $0.recording == recording }) else { return }
        if rows[at].sentence == nil { log(.warning, "“\(recording.title)” is not recorded at the moment: \(sentence)") }
        rows[at].task = nil
        rows[at].song = nil
        rows[at].sentence = sentence
        rows[at].retryUs = clock.nowUs + Self.retryUs
        radio?.showRecordings()
        consider()
    }
}

/// The parts of the program that recording needs.
package struct RecordingParts: Sendable {
    let storage: any RecordingStorage
    let folder: any RecordingFolder
    let recorder: any StationRecording
    /// The time zone, so that a repeated recording keeps its time of day.
    let zone: LocalTime

    package init(storage: any RecordingStorage, folder: any RecordingFolder, recorder: any StationRecording, zone: LocalTime) {
        self.storage = storage
        self.folder = folder
        self.recorder = recorder
        self.zone = zone
    }
}
