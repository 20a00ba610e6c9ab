/// Shared state of a scan's workers: it owns the plan and the report, hands out jobs, and reports progress a few
/// times a second.
import BatonCore
import BatonSeams

actor ScanCoordinator {
    private var plan: ScanPlan
    private(set) var report = ScanReport()
    /// A folder could not be listed for a temporary reason, so that no file may count as removed.
    private(set) var isIncomplete = false
    /// The reason why the scan stopped.
    private(set) var failure: SourceFault?
    /// Problems by the index of the library folder.
    private(set) var problems: [Int: String] = [:]
    private(set) var removed = 0
    /// Playlist files and pictures of artists that were found, and the folders listed for them.
    private(set) var playlists: [String: FileStamp] = [:]
    private(set) var artistPictures: [String: FileStamp] = [:]
    private(set) var looked: Set<String> = []
    /// The first reason why the system could not watch a folder.
    private(set) var unwatched: String?

    private var idle: [CheckedContinuation<Void, Never>] = []
    /// Number of finished jobs.
    private var ended = 0
    /// Folders that were listed, so that none is listed again by another path.
    private var listed: Set<FolderListing.Identity> = []
    private let tell: @Sendable (ScanReport) -> Void
    private let clock: Clock
    private let beganMs: Milliseconds
    private var toldMs: Milliseconds?
    /// Number of files in the last scan.
    private let expected: Int?

    private static let tellEveryMs: Milliseconds = 250

    init(_ plan: ScanPlan, expected: Int?, clock: Clock, tell: @escaping @Sendable (ScanReport) -> Void) {
        self.plan = plan
        self.clock = clock
        beganMs = clock.nowMs
        self.expected = expected
        self.tell = tell
    }

    /// Waits for the next job; `nil` when the scan is done.
    func next() async -> (ScanPlan.Job, worker: Int)? {
        while failure == nil, !Task.isCancelled {
            switch plan.next(atMs: clock.nowMs) {
            case .job(let job, let worker): return (job, worker)
            case .done: return nil
            case .wait: await anotherEnd(after: ended)
            }
        }
        return nil
    }

    /// Waits until more jobs have finished than the `known` number.
    private func anotherEnd(after known: Int) async {
        await withCheckedContinuation { waiting in
            // The last job may have finished before this closure runs. Then no other would resume the continuation.
            if ended == known { idle.append(waiting) } else { waiting.resume() }
        }
    }

    /// Marks folders as listed. A result is false if the folder was listed already by another path.
    func enter(_ folders: [FolderListing.Identity]) -> [Bool] { folders.map { listed.insert($0).inserted } }

    func found(_ found: Found, below root: Int, worker: Int) {
        plan.found(looks: found.looks, files: found.changed, seen: found.seen)
        report.seen += found.music
        report.failed += found.failed
        removed += found.gone
        playlists.merge(found.playlists) { $1 }
        artistPictures.merge(found.artistPictures) { $1 }
        looked.formUnion(found.looked)
        add(found.problems)
        unwatched = unwatched ?? found.unwatched
        // Temporary problems mean that another scan follows.
        if !found.passing.isEmpty { isIncomplete = true }
        add(found.passing)
        if let sentence = found.missing { leave(root, sentence) }
        end(worker)
    }

    func read(_ read: FileReader.Read, below root: Int, worker: Int) {
        plan.read(read.files)
        report.read += read.files.reduce(0) { $0 + $1.count }
        report.failed += read.sentences.count
        add(read.sentences + read.remarks)
        if read.isIncomplete { isIncomplete = true }
        if let silence = read.silence { leave(root, silence) }
        end(worker)
    }

    func stored(worker: Int) { end(worker) }

    func missing(_ root: Int, _ sentence: String, worker: Int) {
        leave(root, sentence)
        end(worker)
    }

    private func leave(_ root: Int, _ sentence: String) {
        plan.leave(root)
        guard problems[root] == nil else { return }
        problems[root] = sentence
        add([sentence])
    }

    func fail(_ fault: SourceFault, worker: Int) {
        failure = failure ?? fault
        end(worker)
    }

    private func add(_ sentences: [String]) {
        report.problems += sentences.prefix(max(0, ScanReport.mostProblems - report.problems.count))
    }

    private func end(_ worker: Int) {
        let nowMs = clock.nowMs
        plan.end(worker, atMs: nowMs)
        ended += 1
        report.tookMs = nowMs - beganMs
        report.total = plan.hasListedAll ? report.seen : expected.map { max($0, report.seen) }
        if toldMs.map({ nowMs - $0 >= Self.tellEveryMs }) ?? true {
            toldMs = nowMs
            tell(report)
        }
        // All idle workers ask for a job again.
        let woken = idle
        idle = []
        for one in woken { one.resume() }
    }
}

/// The result of listing some folders below a library folder.
struct Found: Sendable {
    var looks: [ScanPlan.Look] = []
    var changed: [ScanPlan.File] = []
    var seen: [FileID] = []
    var problems: [String] = []
    /// Temporary problems of folders and files.
    var passing: [String] = []
    /// The reason why nothing below the library folder can be listed.
    var missing: String?
    var unwatched: String?
    var playlists: [String: FileStamp] = [:]
    var artistPictures: [String: FileStamp] = [:]
    var looked: [String] = []
    var music = 0
    var failed = 0
    var gone = 0
}
