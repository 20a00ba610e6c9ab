/// Starts scans of the library: at the start, on request, after changes, and periodically while a disk is missing or
/// cannot be watched.
///
/// It runs on the loop and never blocks it; scans have their own threads. One scan runs at a time, and events
/// meanwhile are collected for the next.
import BatonCore
import BatonSeams

@Loop
final class ScanScheduler {
    nonisolated let news: AsyncStream<ScanReport?>
    private nonisolated let tell: AsyncStream<ScanReport?>.Continuation
    private let parts: MusicLibrary.Parts
    private let reactor: any Reactor

    private var request = ScanRequest()
    private var isWhole = false
    private var scanning: Task<Void, Never>?
    private var listening: Task<Void, Never>?
    private var awaiting: Task<Void, Never>?
    private var colouring: Task<Void, Never>?
    /// Some pictures may lack their colours.
    private var isOwed = false
    private var later: (any Alarm)?
    private var isClosed = false
    /// Resumes `close`, which waits for the current scan.
    private var closing: CheckedContinuation<Void, Never>?
    /// Messages that were logged, so that each is logged once.
    private var said: Set<String> = []
    /// The reason why some folders are not watched, from the last whole scan.
    private(set) var unwatched: String?

    /// Interval of scans while a disk is missing, which may be connected again.
    private static let lookAgain = Duration.seconds(30)
    /// Interval of scans while the system cannot watch all folders.
    private static let lookRound = Duration.seconds(600)
    private static let patience = Duration.seconds(1)
    private static let blind =
        "The system gives no more watches (fs.inotify.max_user_instances), so changes are found by looking every few minutes."

    init(_ parts: MusicLibrary.Parts, _ reactor: any Reactor) {
        self.parts = parts
        self.reactor = reactor
        (news, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    func begin() {
        guard listening == nil, !isClosed else { return }
        listening = Task(executorPreference: Loop.jobs) { [weak self, parts] in
            guard let watching = parts.watching else { return }
            for await event in watching.events { await self?.note(event) }
        }
        awaiting = Task(executorPreference: Loop.jobs) { [weak self, parts] in
            guard let returned = parts.returned else { return }
            for await folder in returned { await self?.answersAgain(folder) }
        }
        _ = scan(isFull: false)
    }

    /// Starts a whole scan; returns `false` if one is running.
    func scan(isFull: Bool) -> Bool {
        guard !isClosed else { return false }
        if scanning != nil, isWhole { return false }
        request.all(isFull: isFull)
        start()
        return true
    }

    func foldersChanged(_ folder: String, isWanted: Bool) {
        if isWanted {
            request.tree(folder, isAwaited: true)
        } else {
            parts.watching?.unwatch(folder)
            // Files that are also in another library folder stay, so everything is scanned.
            request.all(isFull: false)
        }
        tell.yield(nil)
        start()
    }

    func close() async {
        isClosed = true
        later?.cancel()
        parts.watching?.close()
        listening?.cancel()
        awaiting?.cancel()
        scanning?.cancel()
        colouring?.cancel()
        if scanning != nil {
            await withCheckedContinuation { done in
                // The scan may have ended before this closure runs.
                guard scanning != nil else { return done.resume() }
                closing = done
                later = reactor.after(Self.patience) { [weak self] in self?.goOnClosing() }
            }
            later?.cancel()
        }
        tell.finish()
    }

    private func goOnClosing() {
        closing?.resume()
        closing = nil
    }

    // MARK: Successive scans

    private func note(_ event: FolderEvent) {
        request.note(event)
        start()
    }

    private func answersAgain(_ folder: String) {
        request.tree(folder)
        start()
    }

    private func start() {
        guard scanning == nil, !isClosed, !request.isEmpty else { return }
        let request = self.request
        self.request = ScanRequest()
        isWhole = request.isWhole
        if request.isTold { tell.yield(ScanReport()) }
        // Scans take precedence over colours, which continue afterwards.
        if let colouring {
            colouring.cancel()
            isOwed = true
        }
        scanning = Task(executorPreference: parts.quiet) { [parts, tell] in
            let outcome = await request.carryOut(parts) { tell.yield($0) }
            await self.ended(outcome, of: request)
        }
    }

    private func ended(_ outcome: Scan.Outcome, of request: ScanRequest) {
        scanning = nil
        var report = outcome.report
        // The scan is over, whatever its result.
        report.isDone = true
        if request.isTold { tell.yield(report) } else if outcome.hasChanged { tell.yield(nil) }
        if let fault = outcome.failure { say(.error, "The library cannot be stored: \(fault.sentence)") }
        for sentence in outcome.problems.values.sorted() { say(.warning, sentence) }
        if isWhole || outcome.unwatched != nil { unwatched = outcome.unwatched ?? (parts.watching == nil ? Self.blind : nil) }
        if let sentence = outcome.unwatched { say(.warning, sentence) }
        if isClosed { return goOnClosing() }
        lookLater(outcome)
        if outcome.hasChanged || request.isWhole || isOwed { colour() }
        start()
    }

    /// Computes colours once the scan has stored its music.
    private func colour() {
        isOwed = true
        guard colouring == nil, !isClosed else { return }
        isOwed = false
        colouring = Task(executorPreference: parts.quiet) { [parts, tell] in
            if await PictureColours.store(parts) { tell.yield(nil) }
            await self.coloured()
        }
    }

    private func coloured() {
        colouring = nil
        if isOwed, scanning == nil { colour() }
    }

    private func say(_ level: Log.Level, _ sentence: String) {
        if said.insert(sentence).inserted { parts.log(level, sentence) }
    }

    private func lookLater(_ outcome: Scan.Outcome) {
        let isBlind = outcome.unwatched != nil || parts.watching == nil
        guard !outcome.problems.isEmpty || isBlind || outcome.isIncomplete || outcome.failure != nil else {
            // All problems are solved. The next one is logged even if it was logged before.
            if isWhole { said = [] }
            return
        }
        later?.cancel()
        let missing = outcome.problems.keys.sorted()
        let isSoon = !missing.isEmpty || outcome.isIncomplete
        later = reactor.after(isSoon ? Self.lookAgain : Self.lookRound) { [weak self] in
            guard let self else { return }
            if missing.isEmpty || outcome.isIncomplete {
                request.all(isFull: false)
            } else {
                for folder in missing { request.tree(folder) }
            }
            start()
        }
    }
}
