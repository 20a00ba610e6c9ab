/// Chooses the next job of a scan.
///
/// A value; time is an argument. Folders wait to be listed, files to be read and results to be stored, and a few
/// workers take these jobs. Only one worker reads at a time, since the reader already uses all processors. Listing
/// stops when too many files wait, to bound memory. Results are stored early, so that people can find them. A library
/// folder whose disk does not respond blocks one worker; the others skip it.
import BatonCore
import BatonSeams

struct ScanPlan {
    /// A folder that is to be listed.
    struct Look: Equatable {
        var path: String
        /// The index of the library folder that contains it.
        var root: Int
        var depth = 0
        /// Whether its subfolders are listed, too. Otherwise only its disc folders are, because they may use its picture.
        var isDeep = true
        var above = Above.unknown
    }

    /// The picture in the parent folder of a disc.
    enum Above: Equatable {
        case unknown
        case known(FolderNote.Picture?)
    }

    /// A file that is to be read.
    struct File: Sendable {
        var note: FolderNote
        var name: String
        var stamp: FileStamp
        var companions: Int64
        /// Further files of the same book; all are read together or not at all.
        var others: [File] = []

        var all: [File] { [self] + others }
    }

    enum Job {
        /// Folders that are all below the same library folder.
        case look([Look])
        case read([File])
        case store([ScannedFile], seen: [FileID])
    }

    enum Next {
        case job(Job, worker: Int)
        /// No job now; more follow when another worker finishes.
        case wait
        case done
    }

    private struct Root {
        var looks: [Look] = []
        var files: [File] = []
        var firstFile = 0
        var waiting: Int { files.count - firstFile }

        /// Takes at most half, so that another worker finds folders, too.
        mutating func takeLooks() -> [Look] {
            let taken = looks.suffix(min(ScanPlan.mostInLook, (looks.count + 1) / 2))
            looks.removeLast(taken.count)
            return taken.reversed()
        }

        mutating func takeFiles(_ count: Int) -> [File] {
            var size = 0
            let taken = Array(
                files[firstFile...].prefix { file in
                    defer { size += 1 + file.others.count }
                    return size < count
                })
            firstFile += taken.count
            if firstFile > 4_096 || firstFile == files.count {
                files.removeFirst(firstFile)
                firstFile = 0
            }
            return taken
        }
    }

    /// Limit of files that wait to be read; at the limit no further folders are listed.
    static let mostWaiting = 50_000
    static let mostInBatch = 256
    /// Limit of folders in one job.
    static let mostInLook = 32
    /// Number of read files that one transaction writes to the catalogue. It grows with the catalogue, because each
    /// transaction touches most of it. Reading pauses at `mostUnkept`.
    static let unstored = 500...4_000
    static let mostUnkept = 8_000
    static let mostUnseen = 20_000
    static let storeEveryMs: Milliseconds = 500
    /// Time after which a disk counts as silent.
    static let patienceMs: Milliseconds = 3_000

    private var roots: [Root]
    private var results: [ScannedFile] = []
    private var kept = 0
    private var seen: [FileID] = []
    private var workers = 0
    private var busy: [Int: Busy] = [:]
    /// Files in one read job. It grows: the first tracks appear at once, and later ones need few transactions.
    private var batch = 16
    private var storedAtMs: Milliseconds?
    private var turn = 0

    private enum Kind { case look, read, store }

    private struct Busy {
        var job: Kind
        var root: Int?
        var sinceMs: Milliseconds

        func isOverdue(atMs: Milliseconds) -> Bool { sinceMs + ScanPlan.patienceMs <= atMs }
    }

    init(roots: Int, _ looks: [Look]) {
        self.roots = Array(repeating: Root(), count: roots)
        for look in looks.reversed() { self.roots[look.root].looks.append(look) }
    }

    /// Whether all folders have been listed.
    var hasListedAll: Bool { roots.allSatisfy(\.looks.isEmpty) && !busy.values.contains { $0.job == .look } }
    private var waiting: Int { roots.reduce(0) { $0 + $1.waiting } }

    mutating func next(atMs: Milliseconds) -> Next {
        if let job = storing(isDue(atMs)) { return begin(job, as: .store, root: nil, at: atMs) }
        let stalled = Set(busy.values.filter { $0.isOverdue(atMs: atMs) }.compactMap(\.root))
        let free = roots.indices.filter { !stalled.contains($0) }
        let mayRead = results.count < Self.mostUnkept && !busy.values.contains { $0.job == .read && !$0.isOverdue(atMs: atMs) }
        if mayRead, let next = reading(free, atLeast: batch, atMs) { return next }
        if waiting < Self.mostWaiting, let root = pick(free, where: { !$0.looks.isEmpty }) {
            return begin(.look(roots[root].takeLooks()), as: .look, root: root, at: atMs)
        }
        if mayRead, let next = reading(free, atLeast: 1, atMs) { return next }
        // Storing early is better than waiting for the other worker, whose disk may be silent.
        if let job = storing(true) { return begin(job, as: .store, root: nil, at: atMs) }
        return busy.isEmpty ? .done : .wait
    }

    private func isDue(_ atMs: Milliseconds) -> Bool {
        if results.count >= min(max(kept / 8, Self.unstored.lowerBound), Self.unstored.upperBound) || seen.count >= Self.mostUnseen {
            return true
        }
        return !results.isEmpty && storedAtMs.map { atMs - $0 >= Self.storeEveryMs } ?? true
    }

    private func storing(_ isTime: Bool) -> Job? {
        guard isTime, !busy.values.contains(where: { $0.job == .store }), !results.isEmpty || !seen.isEmpty else { return nil }
        return .store(results, seen: seen)
    }

    private mutating func reading(_ free: [Int], atLeast least: Int, _ atMs: Milliseconds) -> Next? {
        guard let root = pick(free, where: { $0.waiting >= least }) else { return nil }
        let files = roots[root].takeFiles(batch)
        batch = min(batch * 4, Self.mostInBatch)
        return begin(.read(files), as: .read, root: root, at: atMs)
    }

    /// Takes library folders in turn, so that a small disk does not wait for a large one.
    private mutating func pick(_ free: [Int], where fits: (Root) -> Bool) -> Int? {
        guard let root = free.first(where: { $0 >= turn && fits(roots[$0]) }) ?? free.first(where: { fits(roots[$0]) }) else { return nil }
        turn = root + 1
        return root
    }

    private mutating func begin(_ job: Job, as kind: Kind, root: Int?, at atMs: Milliseconds) -> Next {
        workers += 1
        busy[workers] = Busy(job: kind, root: root, sinceMs: atMs)
        if kind == .store {
            kept += results.count
            results = []
            seen = []
        }
        return .job(job, worker: workers)
    }

    // MARK: Results

    mutating func end(_ worker: Int, atMs: Milliseconds) {
        if busy.removeValue(forKey: worker)?.job == .store { storedAtMs = atMs }
    }

    mutating func found(looks: [Look], files: [File], seen ids: [FileID]) {
        // Reversed, because the last is taken first and a tree is listed from its beginning.
        for look in looks.reversed() { roots[look.root].looks.append(look) }
        for file in files { roots[file.note.root].files.append(file) }
        seen += ids
    }

    mutating func read(_ files: [ScannedFile]) { results += files }

    /// Drops the jobs of a library folder whose disk does not respond.
    mutating func leave(_ root: Int) { roots[root] = Root() }
}
