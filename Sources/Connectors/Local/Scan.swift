/// One scan: of all folders of the library, or of a few after an event.
///
/// It lists folder by folder and compares stamps, reads what is new or has changed, and keeps it; what
/// is unchanged costs one look. It can end at any moment: what was kept is known to the next, which so
/// goes on where this one was. It blocks, on two hands of its own, and none of it is for the loop.
import BatonCore
import BatonSeams

struct Scan: Sendable {
    struct Order: Sendable {
        var library: LibraryFolders
        /// The library's folders, none inside another.
        var roots: [String] { library.tops }
        var looks: [ScanPlan.Look]
        /// Reads also what seems unchanged.
        var isFull = false
        /// All of the library: what is not seen is away.
        var isWhole: Bool
        /// Says how far it is.
        var isTold = false
    }

    struct Outcome: Sendable {
        var report: ScanReport
        var failure: SourceFault?
        var wasCancelled = false
        var hasChanged = false
        /// By library folder, what is the matter with it.
        var problems: [String: String] = [:]
        /// What the system's watch would not do, once.
        var unwatched: String?
        /// Something could not be looked at for a reason that passes.
        var isIncomplete = false
    }

    let catalogue: any Catalogue
    let media: any MediaReading
    let disk: any FolderReading & FileReading
    let watching: (any FolderWatching)?
    let clock: Clock

    static let workers = 2
    /// Folders below folders; what is deeper is a loop or a joke.
    static let deepest = 64
    /// A file that was written so lately may still be, when an event says that things move.
    static let warmMs: Int64 = 900

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
        return try await end(order, id, coordinator)
    }

    private func end(_ order: Order, _ id: ScanID, _ coordinator: ScanCoordinator) async throws(SourceFault) -> Outcome {
        var outcome = Outcome(report: await coordinator.report, failure: await coordinator.failure, wasCancelled: Task.isCancelled)
        for (root, sentence) in await coordinator.problems { outcome.problems[order.roots[root]] = sentence }
        let removed = await coordinator.removed
        outcome.hasChanged = outcome.report.read > 0 || removed > 0
        outcome.unwatched = await coordinator.unwatched
        outcome.isIncomplete = await coordinator.isIncomplete
        // What was not finished is not ended: the next scan goes on with it.
        guard outcome.failure == nil, !outcome.wasCancelled else { return outcome }
        try note(outcome.problems, order)
        outcome.report.isDone = true
        let isSure = order.isWhole && !outcome.isIncomplete
        // After the tracks, which the lists name.
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

    /// Before what was not seen is taken for gone.
    private func note(_ problems: [String: String], _ order: Order) throws(SourceFault) {
        for (folder, sentence) in problems { try catalogue.noteFolder(folder, problem: sentence) }
        for look in order.looks where look.path == order.roots[look.root] && problems[look.path] == nil {
            for folder in order.library.troubled where RealPath.isBelow([look.path], folder) {
                try catalogue.noteFolder(folder, problem: nil)
            }
        }
    }
}
