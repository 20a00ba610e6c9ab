/// One scan: of all library folders, or of a few after an event.
///
/// It lists folders, compares stamps, reads files that are new or changed, and stores the results; an unchanged file
/// costs one comparison. A scan may stop at any time, since the next one continues from the stored results. It blocks
/// and runs on its own workers, off the loop.
import BatonCore
import BatonSeams

struct Scan: Sendable {
    struct Order: Sendable {
        var library: ScannedFolders
        /// The library folders, none inside another.
        var roots: [String] { library.tops }
        var looks: [ScanPlan.Look]
        /// Reads files even if they seem unchanged.
        var isFull = false
        /// The scan covers the whole library, so that files it does not find count as removed.
        var isWhole: Bool
        /// Reports progress.
        var isTold = false
    }

    struct Outcome: Sendable {
        var report: ScanReport
        var failure: SourceFault?
        var wasCancelled = false
        var hasChanged = false
        /// Problems by library folder.
        var problems: [String: String] = [:]
        /// The first reason why the system could not watch a folder.
        var unwatched: String?
        /// A folder could not be listed for a temporary reason.
        var isIncomplete = false
    }

    let catalogue: any Catalogue
    let media: any MediaReading
    let disk: any FolderReading & FileReading
    let watching: (any FolderWatching)?
    let clock: Clock

    static let workers = 2
    /// Limit of folder depth; a deeper tree is almost certainly a loop.
    static let deepest = 64
    /// Age below which a file counts as still being written, when an event causes the scan.
    static let warmMs: Milliseconds = 900

    func run(_ order: Order, tell: @escaping @Sendable (ScanReport) -> Void) async -> Outcome {
        do throws(SourceFault) {
            return try await begin(order, tell)
        } catch {
            return Outcome(report: ScanReport(), failure: error)
        }
    }

    private func begin(_ order: Order, _ tell: @escaping @Sendable (ScanReport) -> Void) async throws(SourceFault) -> Outcome {
        let expected = order.isWhole ? try catalogue.lastReport()?.seen : nil
        let id = try catalogue.beginScan(atMs: clock.wallMs)
        let plan = ScanPlan(roots: order.roots.count, order.looks)
        let coordinator = ScanCoordinator(plan, expected: expected, clock: clock) { report in
            if order.isWhole || order.isTold { tell(report) }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.workers {
                group.addTask { await ScanWorker(scan: self, order: order, id: id, coordinator: coordinator).work() }
            }
        }
        return try await end(order, scan: id, for: coordinator)
    }

    private func end(_ order: Order, scan id: ScanID, for coordinator: ScanCoordinator) async throws(SourceFault) -> Outcome {
        var outcome = Outcome(report: await coordinator.report, failure: await coordinator.failure, wasCancelled: Task.isCancelled)
        for (root, sentence) in await coordinator.problems { outcome.problems[order.roots[root]] = sentence }
        let removed = await coordinator.removed
        outcome.hasChanged = outcome.report.read > 0 || removed > 0
        outcome.unwatched = await coordinator.unwatched
        outcome.isIncomplete = await coordinator.isIncomplete
        // An unfinished scan is not closed, so that the next scan continues it.
        guard outcome.failure == nil, !outcome.wasCancelled else { return outcome }
        try note(outcome.problems, order)
        outcome.report.isDone = true
        let isSure = order.isWhole && !outcome.isIncomplete
        // Playlists come after the tracks that they name.
        outcome.report.problems += try PlaylistFiles(scan: self, roots: order.roots).settle(
            await coordinator.playlists, in: await coordinator.looked, isSure: isSure, hasNewMusic: outcome.report.read > 0
        ).prefix(max(0, ScanReport.mostProblems - outcome.report.problems.count))
        let hasNewPictures = try ArtistPictures(scan: self).settle(
            await coordinator.artistPictures, in: await coordinator.looked, isSure: isSure, hasNewMusic: outcome.hasChanged)
        if hasNewPictures { outcome.hasChanged = true }
        try catalogue.endScan(id, below: isSure ? order.roots : [], outcome.report, atMs: clock.wallMs)
        if order.isWhole, let kept = try catalogue.lastReport() { outcome.report = kept }
        return outcome
    }

    /// Stores the problems of folders before missing files count as removed.
    private func note(_ problems: [String: String], _ order: Order) throws(SourceFault) {
        for (folder, sentence) in problems { try catalogue.noteFolder(folder, problem: sentence) }
        for look in order.looks where look.path == order.roots[look.root] && problems[look.path] == nil {
            for folder in order.library.troubled where RealPath.isBelow([look.path], folder) {
                try catalogue.noteFolder(folder, problem: nil)
            }
        }
    }
}
