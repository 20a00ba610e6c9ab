/// A ring in memory: the last minute or so of a station, so that several rooms hear it by one connection and a player that was kept
/// waiting loses nothing. Sound that is older is read from its past on disk, where it has one.
///
/// The lock guards a few fields and is never held while a waiting task is resumed.
package import BatonSeams
import Synchronization

package final class MemoryRing: StreamRing {
    struct Reader {
        /// Where it reads next.
        var place: Int64
        /// What was received when it joined. One that reads the past holds nothing up that comes.
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
        /// The part that appends, while there is no room.
        var writer: CheckedContinuation<Bool, Never>?
        /// The part that writes to disk, while too little waits for it.
        var keeper: CheckedContinuation<Void, Never>?
        /// What waits for the disk, and since when nothing was written.
        var unwritten = 0
        var written = ContinuousClock.now

        /// Whether more is wanted: `nil` while the reader that is furthest has enough to read.
        func wants(_ mostAhead: Int64) -> Bool? {
            guard let furthest = readers.values.map({ max($0.place, $0.joined) }).max() else { return false }
            return window.end - furthest < mostAhead ? true : nil
        }

        mutating func newReader(at place: Int64) -> Int {
            defer { nextReader += 1 }
            readers[nextReader] = Reader(place: place, joined: window.end)
            return nextReader
        }

        /// The part that appends, when it has waited long enough.
        mutating func takeWriter(_ mostAhead: Int64) -> (CheckedContinuation<Bool, Never>, Bool)? {
            guard let writer, let answer = wants(mostAhead) else { return nil }
            self.writer = nil
            if !answer { isClosed = true }
            return (writer, answer)
        }

        /// The part that writes to disk, when it has enough to write.
        mutating func takeKeeper() -> CheckedContinuation<Void, Never>? {
            isWriteDue ? keeper.take() : nil
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
    /// What a reader that comes later begins with: enough to be heard at once.
    private let headStart: Int64

    let disk: DiskPast?
    /// The first place that was received for this ring.
    let begin: Int64
    private let began = ContinuousClock.now

    /// What may be received further ahead of a reader that waits, when all of it is on disk, so that a pause keeps its place.
    private static let pausedBytes: Int64 = 4 << 20
    /// No station sends more over time; a server that does is read as fast as it is heard.
    private static let pausedBytesPerSecond: Int64 = 256 * 1024
    package init(mostBytes: Int = 1 << 20, headStart: Int = 64 * 1024, past: DiskPast? = nil) {
        disk = past
        begin = past?.firstPlace() ?? 0
        state = Mutex(State(window: StreamWindow(mostBytes: mostBytes, from: begin)))
        windowAhead = Int64(mostBytes) * 3 / 4
        self.headStart = Int64(headStart)
    }

    package var past: (any StreamPast)? { disk }

    private var mostAhead: Int64 {
        guard let disk, disk.isWriting else { return windowAhead }
        return max(windowAhead, Self.pausedBytes + began.duration(to: .now).components.seconds * Self.pausedBytesPerSecond)
    }

    // MARK: Writing

    package func append(_ piece: StreamPiece) {
        let (place, waiting) = state.withLock { state in
            let place = state.window.end
            state.window.append(piece)
            return (place, state.takeWaiting())
        }
        if let disk {
            disk.append(piece, at: place)
            let keeper = state.withLock { state in
                state.unwritten += piece.sound.count
                return state.takeKeeper()
            }
            keeper?.resume()
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
            return state.takeWaiting() + [state.takeKeeper()].compactMap(\.self)
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

    func read(_ number: Int, at place: Int64, count: Int) -> Answer {
        if let (at, bytes) = older(at: place, count: count) {
            state.withLock { $0.readers[number]?.place = at + Int64(bytes.count) }
            return .bytes(bytes, at: at)
        }
        let mostAhead = mostAhead
        let (answer, writer) = state.withLock { state in
            // A reader that was kept waiting for longer than the window lasts goes on with what there is.
            let at = place < state.window.start ? state.window.entry(from: state.window.start).at : place
            let bytes = state.window.bytes(at: at, count: count)
            guard bytes.isEmpty else {
                state.readers[number]?.place = at + Int64(bytes.count)
                return (Answer.bytes(bytes, at: at), state.takeWriter(mostAhead))
            }
            return (state.hasEnded ? .ended(state.fault) : .wait, nil)
        }
        if let (writer, isWanted) = writer { writer.resume(returning: isWanted) }
        return answer
    }

    /// Reads from disk what is no longer in memory. `nil` when it is still in memory, or is not on disk.
    private func older(at place: Int64, count: Int) -> (at: Int64, bytes: [UInt8])? {
        guard let disk, place < state.withLock({ $0.window.start }), let found = try? disk.bytes(at: place, count: count) else {
            return nil
        }
        return found.bytes.isEmpty ? nil : found
    }

    /// Returns once there may be something to read from there on, or the reader was cancelled.
    func wait(_ number: Int, at place: Int64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let isReady = state.withLock { state in
                    guard state.window.end <= place, !state.hasEnded, state.readers[number]?.isCancelled == false else { return true }
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

    func title(at place: Int64) -> String? {
        let (title, start) = state.withLock { ($0.window.title(at: place), $0.window.start) }
        return place < start ? disk?.title(at: place) ?? title : title
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
