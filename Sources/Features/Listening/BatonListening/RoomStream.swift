import BatonCore
import BatonKernel
import BatonSeams

/// The sound of a room as an endless stream in one format, with one encoder for any number of listeners.
///
/// It begins with its first listener and ends some seconds after the last. The encoder makes a quarter of a second at a time,
/// on threads that may block. When it crashes, that piece is lost, and the next one comes from another encoder.
@Loop
final class RoomStream {
    struct Parts {
        /// The streams that it belongs to.
        weak var streams: RoomStreams?
        let rooms: RoomList
        let sources: Sources
        let clock: HubClock
        let log: Log
        let encoding: any SoundEncoding
        let blockingPool: any TaskExecutor
    }

    let room: RoomID
    let coding: SoundCoding
    private let parts: Parts
    private(set) var pieces = StreamPieces()
    private let follower: StreamFollower
    private var work: (any EncodingWork)?
    private var making: Task<Void, Never>?
    private var alarm: (any Alarm)?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The time at which each listener took its last piece, by number.
    private var listeners: [Int: Microseconds] = [:]
    private var listenerNumbers = 0
    private var startUs: Microseconds = 0
    private var madeMs: Milliseconds = 0
    /// Number of encoders that failed in a row.
    private var losses = 0
    private(set) var isOver = false

    /// Time without a request after which a listener counts as gone.
    private static let absenceUs: Microseconds = 5_000_000
    private static let mostLosses = 3
    /// Delay up to which missed pieces are made. Longer ones, as after a suspended machine, are skipped.
    private static let mostBehindMs: Milliseconds = 5_000

    init(of room: RoomID, coding: SoundCoding, parts: Parts) {
        self.room = room
        self.coding = coding
        self.parts = parts
        follower = StreamFollower(room, parts)
        startUs = parts.clock.nowUs
    }

    // MARK: Listeners

    var listenerCount: Int { listeners.values.count { parts.clock.nowUs - $0 < Self.absenceUs } }

    func newListener() -> Int {
        listenerNumbers += 1
        listeners[listenerNumbers] = parts.clock.nowUs
        if making == nil, alarm == nil, !isOver { turn() }
        return listenerNumbers
    }

    /// Notes that a listener is there, and waits for the next piece if `number` is not made yet.
    func piece(_ number: Int, for listener: Int) async -> StreamPieces.Found {
        listeners[listener] = parts.clock.nowUs
        while !isOver {
            if pieces[number] != .later { return pieces[number] }
            await withCheckedContinuation { waiting.append($0) }
            listeners[listener] = parts.clock.nowUs
        }
        return .lost
    }

    private func wake() {
        let all = waiting
        waiting = []
        for one in all { one.resume() }
    }

    // MARK: The pace

    private func turn() {
        alarm = nil
        guard !isOver else { return }
        listeners = listeners.filter { parts.clock.nowUs - $0.value < Self.absenceUs }
        guard !listeners.isEmpty else { return end() }
        making = Task(executorPreference: Loop.jobs) { [weak self] in await self?.makeWhatIsDue() }
    }

    private func makeWhatIsDue() async {
        while !isOver, dueMs >= StreamPieces.pieceMs { await make() }
        making = nil
        guard !isOver else { return }
        alarm = parts.clock.after(.milliseconds(StreamPieces.pieceMs - max(0, dueMs))) { [weak self] in self?.turn() }
    }

    private var dueMs: Milliseconds {
        let passedMs = Milliseconds(parts.clock.nowUs - startUs) + StreamPlan.leadMs
        if passedMs - madeMs > Self.mostBehindMs { startUs = parts.clock.nowUs - Microseconds(madeMs - StreamPlan.leadMs) }
        return Milliseconds(parts.clock.nowUs - startUs) + StreamPlan.leadMs - madeMs
    }

    private func make() async {
        do throws(EncodingFault) {
            let work = try await encoder()
            for source in follower.changes() { try await play(source, work) }
            let isSilent = follower.isSilent
            let piece = try await asking { () throws(EncodingFault) in try work.more(ms: StreamPieces.pieceMs, isSilent: isSilent) }
            guard !isOver else { return }
            if !isSilent { follower.note(piece) }
            add(piece)
            madeMs += StreamPieces.pieceMs
            losses = 0
        } catch {
            lose(error)
        }
    }

    /// Plays a source, or silence with its title when it cannot be decoded.
    private func play(_ source: EncodingSource, _ work: any EncodingWork) async throws(EncodingFault) {
        do throws(EncodingFault) {
            add(try await asking { () throws(EncodingFault) in try work.play(source) })
        } catch {
            guard !error.isOver, source.file != nil else { throw error }
            parts.log(.debug, "The stream of room \(room) is silent: \(error.sentence)")
            follower.mute()
            let silent = EncodingSource(title: source.title, artist: source.artist)
            add(try await asking { () throws(EncodingFault) in try work.play(silent) })
        }
    }

    private func add(_ piece: EncodedPiece) {
        pieces.add(piece, title: follower.title)
        wake()
    }

    private func lose(_ fault: EncodingFault) {
        guard !isOver else { return }
        // The piece's time passes in any case, so that a repeated fault is no busy loop.
        madeMs += StreamPieces.pieceMs
        work?.close()
        work = nil
        follower.startOver()
        losses += 1
        parts.log(.warning, "The stream of room \(room) lost a piece: \(fault.sentence)")
        if losses >= Self.mostLosses { end() }
    }

    // MARK: The encoder

    private func encoder() async throws(EncodingFault) -> any EncodingWork {
        if let work { return work }
        let (encoding, coding) = (parts.encoding, coding)
        let fresh = try await asking { () throws(EncodingFault) in try encoding.begin(coding) }
        // The hub may have closed meanwhile.
        guard !isOver else {
            fresh.close()
            throw EncodingFault(isOver: true, "The stream has ended.")
        }
        work = fresh
        parts.streams?.encoderStarted()
        return fresh
    }

    func asking<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(EncodingFault) -> Answer
    ) async throws(EncodingFault) -> Answer {
        try await withTaskExecutorPreference(parts.blockingPool) { () async throws(EncodingFault) in try await Self.call(body) }
    }

    private nonisolated static func call<Answer: Sendable>(
        _ body: @Sendable () throws(EncodingFault) -> Answer
    ) async throws(EncodingFault) -> Answer { try body() }

    // MARK: The end

    private func end() {
        guard !isOver else { return }
        isOver = true
        alarm?.cancel()
        follower.close()
        work?.close()
        wake()
        parts.streams?.ended(self)
    }

    func close() async {
        end()
        await making?.value
        await follower.wait()
    }
}
