/// A ring buffer with about the last minute of a station, so that several rooms share one connection and a delayed player loses nothing.
/// Older sound is read from its past on disk, if it has one.
///
/// The lock guards a few fields and is never held while a task is resumed.
package import BatonSeams
import Synchronization

package final class MemoryRing: StreamRing {
    struct Reader {
        /// The position of its next read.
        var position: Int64
        /// The end of received sound when it joined. A reader of the past does not delay new sound.
        var joined: Int64
        var waiting: CheckedContinuation<Void, Never>?
        var isCancelled = false
    }

    struct State {
        var window: StreamWindow
        var readers: [Int: Reader] = [:]
        var nextReader = 0
        var isClosed = false
        var hasEnded = false
        var fault: SourceFault?
        /// The receiver, while there is no room.
        var writer: CheckedContinuation<Bool, Never>?
        /// The disk writer, while too little sound waits for it.
        var waitingWriter: CheckedContinuation<Void, Never>?
        /// Number of bytes that wait for the disk, and the time of the last write.
        var unwritten = 0
        var written = ContinuousClock.now

        /// Whether more is wanted: `nil` while the reader that is furthest has enough to read.
        func wants(_ mostAhead: Int64) -> Bool? {
            guard let furthest = readers.values.map({ max($0.position, $0.joined) }).max() else { return false }
            return window.end - furthest < mostAhead ? true : nil
        }

        mutating func newReader(at position: Int64) -> Int {
            defer { nextReader += 1 }
            readers[nextReader] = Reader(position: position, joined: window.end)
            return nextReader
        }

        /// The receiver, if it can continue.
        mutating func takeWriter(_ mostAhead: Int64) -> (CheckedContinuation<Bool, Never>, Bool)? {
            guard let writer, let answer = wants(mostAhead) else { return nil }
            self.writer = nil
            if !answer { isClosed = true }
            return (writer, answer)
        }

        /// The disk writer, if enough sound waits for it.
        mutating func takeWaitingWriter() -> CheckedContinuation<Void, Never>? {
            isWriteDue ? waitingWriter.take() : nil
        }

        var isWriteDue: Bool {
            hasEnded || unwritten >= MemoryRing.mostUnwritten
                || unwritten > 0 && written.duration(to: .now) >= MemoryRing.betweenWrites
        }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            var waiting: [CheckedContinuation<Void, Never>] = []
            for number in readers.keys {
                if let one = readers[number]?.waiting { waiting.append(one) }
                readers[number]?.waiting = nil
            }
            return waiting
        }
    }

    let state: Mutex<State>
    private let windowAhead: Int64
    /// Amount of sound that a new reader gets at once, so that playback starts immediately.
    private let headStart: Int64

    let disk: DiskPast?
    /// The first position that this ring received.
    let begin: Int64
    private let began = ContinuousClock.now

    /// Limit of sound ahead of a paused reader if all of it is on disk, so that a pause keeps its position.
    private static let pausedBytes: Int64 = 4 << 20
    /// Upper bound for the bit rate of a station; a faster server is read at playback speed.
    private static let pausedBytesPerSecond: Int64 = 256 * 1024
    package init(mostBytes: Int = 1 << 20, headStart: Int = 64 * 1024, past: DiskPast? = nil) {
        disk = past
        begin = past?.firstPlace() ?? 0
        state = Mutex(State(window: StreamWindow(mostBytes: mostBytes, from: begin)))
        windowAhead = Int64(mostBytes) * 3 / 4
        self.headStart = Int64(headStart)
    }

    package var past: (any StationPast)? { disk }

    private var mostAhead: Int64 {
        guard let disk, disk.isWriting else { return windowAhead }
        return max(windowAhead, Self.pausedBytes + began.duration(to: .now).components.seconds * Self.pausedBytesPerSecond)
    }

    // MARK: Writing

    package func append(_ piece: StreamPiece) {
        let (position, waiting) = state.withLock { state in
            let position = state.window.end
            state.window.append(piece)
            return (position, state.takeWaiting())
        }
        if let disk {
            disk.append(piece, at: position)
            let waitingWriter = state.withLock { state in
                state.unwritten += piece.sound.count
                return state.takeWaitingWriter()
            }
            waitingWriter?.resume()
        }
        for one in waiting { one.resume() }
    }

    package func untilWanted() async -> Bool {
        let mostAhead = mostAhead
        return await withCheckedContinuation { writer in
            let answer: Bool? = state.withLock { state in
                let answer = state.wants(mostAhead)
                if answer == nil { state.writer = writer }
                if answer == false { state.isClosed = true }
                return answer
            }
            if let answer { writer.resume(returning: answer) }
        }
    }

    package func end(_ fault: SourceFault?) {
        let waiting = state.withLock { state in
            state.hasEnded = true
            state.isClosed = true
            state.fault = fault
            return state.takeWaiting() + [state.takeWaitingWriter()].compactMap(\.self)
        }
        for one in waiting { one.resume() }
    }

    // MARK: Reading

    package func join() -> (any TitledBytes)? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let entry = state.window.entry(from: state.window.end - headStart)
            return RingReader(ring: self, number: state.newReader(at: entry.at), begin: entry.at, head: entry.head)
        }
    }

    enum Answer {
        case bytes([UInt8], at: Int64)
        case ended(SourceFault?)
        /// Nothing is there yet.
        case wait
    }

    func read(_ number: Int, at position: Int64, count: Int) -> Answer {
        if let (at, bytes) = older(at: position, count: count) {
            state.withLock { $0.readers[number]?.position = at + Int64(bytes.count) }
            return .bytes(bytes, at: at)
        }
        let mostAhead = mostAhead
        let (answer, writer) = state.withLock { state in
            // A reader that was delayed longer than the window continues with the oldest sound.
            let at = position < state.window.start ? state.window.entry(from: state.window.start).at : position
            let bytes = state.window.bytes(at: at, count: count)
            guard bytes.isEmpty else {
                state.readers[number]?.position = at + Int64(bytes.count)
                return (Answer.bytes(bytes, at: at), state.takeWriter(mostAhead))
            }
            return (state.hasEnded ? .ended(state.fault) : .wait, nil)
        }
        if let (writer, isWanted) = writer { writer.resume(returning: isWanted) }
        return answer
    }

    /// Reads sound from disk that is no longer in memory. `nil` if it is still in memory, or not on disk.
    private func older(at position: Int64, count: Int) -> (at: Int64, bytes: [UInt8])? {
        guard let disk, position < state.withLock({ $0.window.start }), let found = try? disk.bytes(at: position, count: count) else {
            return nil
        }
        return found.bytes.isEmpty ? nil : found
    }

    /// Returns once there may be sound at `position`, or the reader was cancelled.
    func wait(_ number: Int, at position: Int64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let isReady = state.withLock { state in
                    guard state.window.end <= position, !state.hasEnded, state.readers[number]?.isCancelled == false else { return true }
                    state.readers[number]?.waiting = reader
                    return false
                }
                if isReady { reader.resume() }
            }
        } onCancel: {
            let reader = state.withLock { state in
                state.readers[number]?.isCancelled = true
                let reader = state.readers[number]?.waiting
                state.readers[number]?.waiting = nil
                return reader
            }
            reader?.resume()
        }
        state.withLock { $0.readers[number]?.isCancelled = false }
    }

    func title(at position: Int64) -> String? {
        let (title, start) = state.withLock { ($0.window.title(at: position), $0.window.start) }
        return position < start ? disk?.title(at: position) ?? title : title
    }

    func leave(_ number: Int) {
        let mostAhead = mostAhead
        let writer = state.withLock { state in
            state.readers[number] = nil
            return state.takeWriter(mostAhead)
        }
        if let (writer, isWanted) = writer { writer.resume(returning: isWanted) }
    }
}
