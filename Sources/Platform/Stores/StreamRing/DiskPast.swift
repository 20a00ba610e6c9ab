package import BatonCore
package import BatonSeams
/// A station's recorded past on disk: append-only segments in one folder, with their index in memory.
///
/// The receiver hands over pieces and never waits for the disk; one task writes them (`MemoryRing.keep`). Each connection starts a new
/// segment, so files of an earlier run are never written again, only read and eventually removed. The lock guards a few fields and is never
/// held during disk calls.
import Disk
import Synchronization

package final class DiskPast: StationPast {
    struct Waiting {
        var at: Int64
        var timeMs: Milliseconds
        var piece: StreamPiece
    }

    private struct State {
        var index = SegmentIndex()
        /// Segments by first position.
        var segments: [Int64: AppendedFile] = [:]
        var waiting: [Waiting] = []
        var waitingBytes = 0
        var isOpen = false
        var hasFailed = false
        var isReceiving = false
        /// First positions of segments whose damage was reported.
        var damaged: Set<Int64> = []
        var waitingForOpening: [CheckedContinuation<Void, Never>] = []

        /// True once the files of earlier runs are known, or will never be.
        var isSettled: Bool { isOpen || hasFailed }

        mutating func takeWaitingForOpening() -> [CheckedContinuation<Void, Never>] {
            defer { waitingForOpening = [] }
            return waitingForOpening
        }
    }

    private let folder: SegmentFolder
    private let keepMs: Milliseconds
    private let segmentBytes: Int64
    private let nowMs: @Sendable () -> Milliseconds
    private let log: Log
    private let state = Mutex(State())

    /// Limit of bytes that wait for a slow disk; later bytes are in the memory ring only.
    private static let mostWaiting = 2 << 20

    /// `path` is the folder of this station, beside those of other stations.
    package init(
        _ path: String, keepMinutes: Int, segmentBytes: Int64 = 2 << 20, nowMs: @escaping @Sendable () -> Milliseconds, _ log: Log
    ) {
        folder = SegmentFolder(path)
        keepMs = Milliseconds(Int64(keepMinutes) * 60_000)
        self.segmentBytes = segmentBytes
        self.nowMs = nowMs
        self.log = log
    }

    /// Folder name of a station: a hash of its address, which may contain a password and so is not written.
    package static func name(of address: String) -> String {
        String(address.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }

    // MARK: Receiving

    /// Start position of a connection that begins now.
    func firstPlace() -> Int64 { StreamPositions.first(atMs: nowMs()) }

    package var isReceiving: Bool { state.withLock { $0.isReceiving } }

    func setReceiving(_ isReceiving: Bool) { state.withLock { $0.isReceiving = isReceiving } }

    var isWriting: Bool { state.withLock { !$0.hasFailed } }

    func append(_ piece: StreamPiece, at position: Int64) {
        let timeMs = nowMs()
        state.withLock { state in
            guard !state.hasFailed, state.waitingBytes + piece.sound.count <= Self.mostWaiting else { return }
            state.waiting.append(Waiting(at: position, timeMs: timeMs, piece: piece))
            state.waitingBytes += piece.sound.count
        }
    }

    // MARK: Writing, by one task

    /// Reads the files of earlier runs. Waits for the disk.
    func open(before position: Int64) {
        if let reason = folder.make() { return fail(reason) }
        folder.removeOld(keepMs.seconds)
        read(before: position, repairs: true)
    }

    /// Reads the past of a station without a connection, and changes nothing. Waits for the disk.
    package func openToRead() { read(before: .max, repairs: false) }

    private func read(before position: Int64, repairs: Bool) {
        var index = SegmentIndex()
        var segments: [Int64: AppendedFile] = [:]
        for first in folder.segments() {
            guard let file = AppendedFile(folder.path(of: first)) else { continue }
            let whole = file.records(from: first, after: index.positions.upperBound, before: position, into: &index)
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
    func flush(_ writing: inout SegmentWriter) {
        let waiting = state.withLock { state in
            guard state.isOpen, !state.hasFailed else { return [Waiting]() }
            defer { (state.waiting, state.waitingBytes) = ([], 0) }
            return state.waiting
        }
        guard !waiting.isEmpty else { return }
        for batch in SegmentBatch.batches(of: waiting) {
            if writing.isFull(segmentBytes), let reason = beginSegment(at: batch.at, &writing) { return fail(reason) }
            let segment = writing.first
            if let reason = writing.append(batch, { record, offset in note(record, in: segment, at: offset) }) { return fail(reason) }
        }
        writing.settle(nowMs())
    }

    /// Starts a segment, and returns the system's reason if that fails.
    private func beginSegment(at position: Int64, _ writing: inout SegmentWriter) -> String? {
        if let reason = folder.fullness { return reason }
        guard let file = AppendedFile(folder.path(of: position)) else { return folder.lastReason }
        writing.begin(file, at: position)
        state.withLock { $0.segments[position] = file }
        removeOld()
        return nil
    }

    private func note(_ record: SegmentRecord, in segment: Int64, at offset: Int64) {
        state.withLock {
            $0.index.note(
                record.kind, at: record.position, timeMs: record.timeMs, content: record.content, segment: segment, offset: offset)
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

    package var positions: Range<Int64> { state.withLock { $0.index.positions } }
    package func titles() -> [StreamTitle] { state.withLock { $0.index.titles } }
    package func gaps() -> [StreamGap] { state.withLock { $0.index.gaps() } }
    package func timeMs(at position: Int64) -> Milliseconds? { state.withLock { $0.index.timeMs(at: position) } }
    func title(at position: Int64) -> String? { state.withLock { $0.index.title(at: position) } }

    package func entry(atMs timeMs: Milliseconds) -> (at: Int64, head: [UInt8]) {
        state.withLock { $0.index.entry(atMs: timeMs) ?? ($0.index.positions.upperBound, []) }
    }

    /// The first position at or after this one at which a decoder may start.
    func entry(from position: Int64) -> (at: Int64, head: [UInt8])? { state.withLock { $0.index.entry(from: position) } }

    /// Age of the sound at a position. Sound that is not on disk yet has just arrived.
    func age(at position: Int64) -> SoundAge? {
        let nowMs = nowMs()
        return state.withLock { state in
            guard state.isOpen, let oldest = state.index.timeMs(at: state.index.positions.lowerBound) else { return nil }
            let received = position < state.index.positions.upperBound ? state.index.stretch(at: position)?.timeMs : nowMs
            return SoundAge(ms: max(0, nowMs - (received ?? nowMs)), oldestMs: max(0, nowMs - oldest))
        }
    }

    package func bytes(at position: Int64, count: Int) throws(SourceFault) -> (at: Int64, bytes: [UInt8]) {
        while count > 0, let (stretch, file, until) = found(at: position) {
            let at = max(position, stretch.at)
            let wanted = min(count, Int(until - at))
            guard let sum = stretch.sum else {
                let bytes = file?.read(at: stretch.offset + at - stretch.at, count: wanted) ?? []
                guard bytes.count == wanted else { throw SourceFault(.unavailable, "The radio's buffer cannot be read.") }
                return (at, bytes)
            }
            let whole = file?.read(at: stretch.offset, count: Int(stretch.count)) ?? []
            let isWhole = SegmentRecord.fits(whole[...], count: Int(stretch.count), sum: sum)
            note(stretch, isWhole: isWhole)
            if isWhole { return (at, Array(whole.dropFirst(Int(at - stretch.at)).prefix(wanted))) }
        }
        return (position, [])
    }

    /// The first sound from there on, and the end of its title.
    private func found(at position: Int64) -> (SegmentIndex.Stretch, AppendedFile?, until: Int64)? {
        state.withLock { state in
            guard let stretch = state.index.stretch(at: position) else { return nil }
            let next = state.index.nextTitle(after: max(position, stretch.at)) ?? stretch.end
            return (stretch, state.segments[stretch.segment], min(stretch.end, next))
        }
    }

    /// Records that a segment of an earlier run was read for the first time.
    private func note(_ stretch: SegmentIndex.Stretch, isWhole: Bool) {
        let isNew = state.withLock { state in
            state.index.checked(stretch, isWhole: isWhole)
            return !isWhole && state.damaged.insert(stretch.segment).inserted
        }
        guard isNew else { return }
        log(.warning, "The radio's buffer \(folder.path(of: stretch.segment)) is damaged: what is not whole of it is left out.")
    }
}
