package import BatonSeams
/// A station's recorded past on disk: append-only segments in one folder, with their index in memory.
///
/// The receiver hands over pieces and never waits for the disk; one task writes them (`MemoryRing.keep`). Each connection starts a new
/// segment, so files of an earlier run are never written again, only read and eventually removed. The lock guards a few fields and is never
/// held during disk calls.
import Disk
import Synchronization

package final class DiskPast: StreamPast {
    struct Waiting {
        var at: Int64
        var timeMs: Int64
        var piece: StreamPiece
    }

    private struct State {
        var index = PastIndex()
        /// Segments by first place.
        var segments: [Int64: AppendedFile] = [:]
        var waiting: [Waiting] = []
        var waitingBytes = 0
        var isOpen = false
        var hasFailed = false
        var isReceiving = false
        /// First places of segments whose damage was reported.
        var damaged: Set<Int64> = []
        var waitingForOpening: [CheckedContinuation<Void, Never>] = []

        /// True once the files of earlier runs are known, or will never be.
        var isSettled: Bool { isOpen || hasFailed }

        mutating func takeWaitingForOpening() -> [CheckedContinuation<Void, Never>] {
            defer { waitingForOpening = [] }
            return waitingForOpening
        }
    }

    private let folder: PastFolder
    private let keepMs: Int64
    private let segmentBytes: Int64
    private let nowMs: @Sendable () -> Int64
    private let log: Log
    private let state = Mutex(State())

    /// Limit of bytes that wait for a slow disk; later bytes are in the memory ring only.
    private static let mostWaiting = 2 << 20

    /// `path` is the folder of this station, beside those of other stations.
    package init(
        _ path: String, keepMinutes: Int, segmentBytes: Int64 = 2 << 20, nowMs: @escaping @Sendable () -> Int64, _ log: Log
    ) {
        folder = PastFolder(path)
        keepMs = Int64(keepMinutes) * 60_000
        self.segmentBytes = segmentBytes
        self.nowMs = nowMs
        self.log = log
    }

    /// Folder name of a station: a hash of its address, which may contain a password and so is not written.
    package static func name(of address: String) -> String {
        String(address.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }

    // MARK: Receiving

    /// Start place of a connection that begins now.
    func firstPlace() -> Int64 { StreamPlaces.first(atMs: nowMs()) }

    package var isReceiving: Bool { state.withLock { $0.isReceiving } }

    func setReceiving(_ isReceiving: Bool) { state.withLock { $0.isReceiving = isReceiving } }

    var isWriting: Bool { state.withLock { !$0.hasFailed } }

    func append(_ piece: StreamPiece, at place: Int64) {
        let timeMs = nowMs()
        state.withLock { state in
            guard !state.hasFailed, state.waitingBytes + piece.sound.count <= Self.mostWaiting else { return }
            state.waiting.append(Waiting(at: place, timeMs: timeMs, piece: piece))
            state.waitingBytes += piece.sound.count
        }
    }

    // MARK: Writing, by one task

    /// Reads the files of earlier runs. Waits for the disk.
    func open(before place: Int64) {
        if let reason = folder.make() { return fail(reason) }
        folder.removeOld(keepMs / 1000)
        read(before: place, repairs: true)
    }

    /// Reads the past of a station without a connection, and changes nothing. Waits for the disk.
    package func openToRead() { read(before: .max, repairs: false) }

    private func read(before place: Int64, repairs: Bool) {
        var index = PastIndex()
        var segments: [Int64: AppendedFile] = [:]
        for first in folder.segments() {
            guard let file = AppendedFile(folder.path(of: first)) else { continue }
            let whole = file.records(from: first, after: index.places.upperBound, before: place, into: &index)
            if whole < file.size, repairs {
                log(.warning, "The radio's buffer \(folder.path(of: first)) is damaged: its last \(file.size - whole) bytes are left out.")
                file.cut(to: whole)
            }
            if whole > 0 { segments[first] = file } else if repairs { folder.remove(first) }
        }
        let waiting = state.withLock { state in
            state.index = index
            state.segments = segments
            state.isOpen = true
            return state.takeWaitingForOpening()
        }
        for one in waiting { one.resume() }
    }

    /// Returns once the files of earlier runs are known.
    func untilOpen() async {
        await withCheckedContinuation { reader in
            let isSettled = state.withLock { state in
                if !state.isSettled { state.waitingForOpening.append(reader) }
                return state.isSettled
            }
            if isSettled { reader.resume() }
        }
    }

    /// Writes all waiting pieces.
    func flush(_ writing: inout PastWriting) {
        let waiting = state.withLock { state in
            guard state.isOpen, !state.hasFailed else { return [Waiting]() }
            defer { (state.waiting, state.waitingBytes) = ([], 0) }
            return state.waiting
        }
        guard !waiting.isEmpty else { return }
        for batch in PastBatch.batches(of: waiting) {
            if writing.isFull(segmentBytes), let reason = beginSegment(at: batch.at, &writing) { return fail(reason) }
            let segment = writing.first
            if let reason = writing.append(batch, { record, offset in note(record, in: segment, at: offset) }) { return fail(reason) }
        }
        writing.settle(nowMs())
    }

    /// Starts a segment, and returns the system's reason if that fails.
    private func beginSegment(at place: Int64, _ writing: inout PastWriting) -> String? {
        if let reason = folder.fullness { return reason }
        guard let file = AppendedFile(folder.path(of: place)) else { return folder.lastReason }
        writing.begin(file, at: place)
        state.withLock { $0.segments[place] = file }
        removeOld()
        return nil
    }

    private func note(_ record: PastRecord, in segment: Int64, at offset: Int64) {
        state.withLock {
            $0.index.note(record.kind, at: record.place, timeMs: record.timeMs, content: record.content, segment: segment, offset: offset)
        }
    }

    private func removeOld() {
        let oldest = nowMs() - keepMs
        let old = state.withLock { state in
            let old = state.index.segments(before: oldest)
            for first in old {
                state.index.drop(segment: first)
                state.segments[first] = nil
            }
            return old
        }
        for first in old { folder.remove(first) }
    }

    private func fail(_ reason: String) {
        let waiting = state.withLock { state in
            state.hasFailed = true
            (state.waiting, state.waitingBytes) = ([], 0)
            return state.takeWaitingForOpening()
        }
        for one in waiting { one.resume() }
        log(.warning, "The radio's buffer cannot be written to \(folder.path): \(reason). The last minute is kept in memory.")
    }

    // MARK: Reading

    package var places: Range<Int64> { state.withLock { $0.index.places } }
    package func titles() -> [StreamTitle] { state.withLock { $0.index.titles } }
    package func gaps() -> [StreamGap] { state.withLock { $0.index.gaps() } }
    package func timeMs(at place: Int64) -> Int64? { state.withLock { $0.index.timeMs(at: place) } }
    func title(at place: Int64) -> String? { state.withLock { $0.index.title(at: place) } }

    package func entry(atMs timeMs: Int64) -> (at: Int64, head: [UInt8]) {
        state.withLock { $0.index.entry(atMs: timeMs) ?? ($0.index.places.upperBound, []) }
    }

    /// The first place at or after this one at which a decoder may start.
    func entry(from place: Int64) -> (at: Int64, head: [UInt8])? { state.withLock { $0.index.entry(from: place) } }

    /// Age of the sound at a place. Sound that is not on disk yet has just arrived.
    func age(at place: Int64) -> SoundAge? {
        let nowMs = nowMs()
        return state.withLock { state in
            guard state.isOpen, let oldest = state.index.timeMs(at: state.index.places.lowerBound) else { return nil }
            let received = place < state.index.places.upperBound ? state.index.stretch(at: place)?.timeMs : nowMs
            return SoundAge(ms: Int(max(0, nowMs - (received ?? nowMs))), oldestMs: Int(max(0, nowMs - oldest)))
        }
    }

    package func bytes(at place: Int64, count: Int) throws(SourceFault) -> (at: Int64, bytes: [UInt8]) {
        while count > 0, let (stretch, file, until) = found(at: place) {
            let at = max(place, stretch.at)
            let wanted = min(count, Int(until - at))
            guard let sum = stretch.sum else {
                let bytes = file?.read(at: stretch.offset + at - stretch.at, count: wanted) ?? []
                guard bytes.count == wanted else { throw SourceFault(.unavailable, "The radio's buffer cannot be read.") }
                return (at, bytes)
            }
            let whole = file?.read(at: stretch.offset, count: Int(stretch.count)) ?? []
            let isWhole = PastRecord.fits(whole[...], count: Int(stretch.count), sum: sum)
            note(stretch, isWhole: isWhole)
            if isWhole { return (at, Array(whole.dropFirst(Int(at - stretch.at)).prefix(wanted))) }
        }
        return (place, [])
    }

    /// The first sound from there on, and the end of its title.
    private func found(at place: Int64) -> (PastIndex.Stretch, AppendedFile?, until: Int64)? {
        state.withLock { state in
            guard let stretch = state.index.stretch(at: place) else { return nil }
            let next = state.index.nextTitle(after: max(place, stretch.at)) ?? stretch.end
            return (stretch, state.segments[stretch.segment], min(stretch.end, next))
        }
    }

    /// Records that a segment of an earlier run was read for the first time.
    private func note(_ stretch: PastIndex.Stretch, isWhole: Bool) {
        let isNew = state.withLock { state in
            state.index.checked(stretch, isWhole: isWhole)
            return !isWhole && state.damaged.insert(stretch.segment).inserted
        }
        guard isNew else { return }
        log(.warning, "The radio's buffer \(folder.path(of: stretch.segment)) is damaged: what is not whole of it is left out.")
    }
}
