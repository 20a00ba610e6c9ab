/// Decides when the library's folders are looked at: at the start, on request, when something
/// changes, and again after a while where a disk was missing or cannot be watched.
///
/// It lives on the loop and never blocks it; the scan itself has threads of its own. One goes on at a
/// time, and what happens meanwhile waits for the next.
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
    /// Pictures may be waiting for their colours.
    private var isOwed = false
    private var later: (any Alarm)?
    private var isClosed = false
    /// The end of the library, which waits for the scan that goes on.
    private var closing: CheckedContinuation<Void, Never>?
    /// What was said already, so that it is said once.
    private var said: Set<String> = []
    /// Why changes of some folders are not seen at once, as the last whole scan found it.
    private(set) var unwatched: String?

    /// A disk that was missing may have been put in.
    private static let lookAgain = Duration.seconds(30)
    /// Where the system watches no further.
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

    /// `false` when one was going on already.
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
            // What lies in another of the library's folders is still wanted.
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

    // MARK: One scan after the other

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
        // Music goes before its pictures, which go on after it.
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
        // Whatever came of it, it is over.
        report.isDone = true
        if request.isTold { tell.yield(report) } else if outcome.hasChanged { tell.yield(nil) }
        if let fault = outcome.failure { say(.error, "The library cannot be kept: \(fault.sentence)") }
        for sentence in outcome.problems.values.sorted() { say(.warning, sentence) }
        if isWhole || outcome.unwatched != nil { unwatched = outcome.unwatched ?? (parts.watching == nil ? Self.blind : nil) }
        if let sentence = outcome.unwatched { say(.warning, sentence) }
        if isClosed { return goOnClosing() }
        lookLater(outcome)
        if outcome.hasChanged || request.isWhole || isOwed { colour() }
        start()
    }

    /// Pictures are looked at when there is music already.
    private func colour() {
        isOwed = true
        guard colouring == nil, !isClosed else { return }
        isOwed = false
        colouring = Task(executorPreference: parts.quiet) { [parts, tell] in
            if await PictureColours.keep(parts) { tell.yield(nil) }
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
            // What was the matter is so no more, and is worth saying should it come again.
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
