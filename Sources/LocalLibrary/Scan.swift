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
    let wallMs: @Sendable () -> Int64

    static let hands = 2
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
        let id = try catalogue.beginScan(atMs: wallMs())
        let plan = ScanPlan(roots: order.roots.count, order.looks)
        let desk = ScanDesk(plan, expected: expected) { report in if order.isWhole || order.isTold { tell(report) } }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.hands { group.addTask { await Hand(scan: self, order: order, id: id, desk: desk).work() } }
        }
        return try await end(order, id, desk)
    }

    private func end(_ order: Order, _ id: ScanID, _ desk: ScanDesk) async throws(SourceFault) -> Outcome {
        var outcome = Outcome(report: await desk.report, failure: await desk.failure, wasCancelled: Task.isCancelled)
        for (root, sentence) in await desk.problems { outcome.problems[order.roots[root]] = sentence }
        let removed = await desk.removed
        outcome.hasChanged = outcome.report.read > 0 || removed > 0
        outcome.unwatched = await desk.unwatched
        outcome.isIncomplete = await desk.isIncomplete
        // What was not finished is not ended: the next scan goes on with it.
        guard outcome.failure == nil, !outcome.wasCancelled else { return outcome }
        try note(outcome.problems, order)
        outcome.report.isDone = true
        let isSure = order.isWhole && !outcome.isIncomplete
        try catalogue.endScan(id, below: isSure ? order.roots : [], outcome.report, atMs: wallMs())
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

/// One of the hands of a scan: takes a job, does it, says what came of it.
private struct Hand {
    let scan: Scan
    let order: Scan.Order
    let id: ScanID
    let desk: ScanDesk

    func work() async {
        while let (job, hand) = await desk.next() {
            do throws(SourceFault) {
                switch job {
                case .look(let look): try await self.look(look, hand)
                case .read(let files):
                    let read = FileReader(media: scan.media, disk: scan.disk, roots: order.roots).read(files)
                    await desk.read(read, below: files[0].note.root, hand: hand)
                case .keep(let files, let seen):
                    if !seen.isEmpty { try scan.catalogue.noteSeen(seen, in: id) }
                    if !files.isEmpty { try scan.catalogue.keep(files, in: id, atMs: scan.wallMs()) }
                    await desk.kept(hand: hand)
                }
            } catch {
                await desk.fail(error, hand: hand)
            }
        }
    }

    /// Throws what the catalogue says; what the disk says is an answer.
    private func look(_ look: ScanPlan.Look, _ hand: Int) async throws(SourceFault) {
        var unwatched: String?
        let listing: FolderListing
        do throws(SourceFault) {
            // Watched first, so that nothing changes between looking and watching.
            unwatched = try watch(look.path)
            listing = try scan.disk.list(look.path, within: order.roots, wanting: FolderNote.isWanted)
        } catch {
            return try await failed(look, error, hand)
        }
        if isBare(listing, look) {
            let sentence = "\(look.path) is empty, and there was music in it: is its disk there? What is known of it is kept."
            return await desk.missing(look.root, sentence, hand: hand)
        }
        guard await desk.enters(listing.identity) else { return await desk.found(Found(), hand: hand) }
        var found = Found()
        if let unwatched { await desk.unwatched(unwatched) }
        let note = FolderNote(look.path, root: look.root, listing)
        try compare(listing, note, look, &found)
        for name in listing.strange {
            found.failed += 1
            found.problems.append("\(note.path(of: name)) was left out: its name is not UTF-8. Rename it, for instance with convmv.")
        }
        if look.isDeep { enter(listing.folders, note, look, &found) }
        await desk.found(found, hand: hand)
    }

    /// The place where a disk was is an empty folder when it is gone.
    private func isBare(_ listing: FolderListing, _ look: ScanPlan.Look) -> Bool {
        listing.files.isEmpty && listing.folders.isEmpty && look.path == order.roots[look.root]
            && order.library.tracks[look.path, default: 0] > 0
    }

    private func watch(_ path: String) throws(SourceFault) -> String? {
        do throws(SourceFault) {
            try scan.watching?.watch(path, within: order.roots)
            return nil
        } catch {
            if error.isLate { throw error }
            // A folder that is not there is told by listing it.
            return error.code == .unavailable ? error.sentence : nil
        }
    }

    private func failed(_ look: ScanPlan.Look, _ fault: SourceFault, _ hand: Int) async throws(SourceFault) {
        if look.path == order.roots[look.root] || fault.isLate {
            await desk.missing(look.root, fault.sentence, hand: hand)
        } else if fault.code == .notFound {
            // It went between being named and being listed.
            if !order.isWhole { try scan.catalogue.noteGone(look.path) }
            var found = Found()
            found.gone = 1
            await desk.found(found, hand: hand)
        } else if fault.code == .unavailable {
            await desk.passing(fault.sentence, hand: hand)
        } else {
            var found = Found()
            found.failed = 1
            found.problems = [fault.sentence]
            await desk.found(found, hand: hand)
        }
    }

    private func enter(_ folders: [String], _ note: FolderNote, _ look: ScanPlan.Look, _ found: inout Found) {
        guard look.depth < Scan.deepest else {
            if !folders.isEmpty { found.problems.append("What lies below \(look.path) was left out: it is \(Scan.deepest) folders deep.") }
            return
        }
        found.looks = folders.sorted().map {
            ScanPlan.Look(path: note.path(of: $0), root: look.root, depth: look.depth + 1)
        }
    }

    /// What is here beside what is known of here.
    private func compare(
        _ listing: FolderListing, _ note: FolderNote, _ look: ScanPlan.Look, _ found: inout Found
    ) throws(SourceFault) {
        var known = try scan.catalogue.known(in: note.path)
        let nowNs = scan.wallMs() * 1_000_000
        for file in listing.files where FileKind.isAudio(file.name) {
            found.music += 1
            let before = known.removeValue(forKey: file.name)
            let companions = note.companions(of: file.name)
            if let before, order.isFull == false, before.stamp == file.stamp, before.companions == companions {
                found.seen.append(before.id)
                if let problem = before.problem {
                    found.failed += 1
                    found.problems.append(problem)
                }
            } else if !order.isWhole, !look.isDeep, isWarm(file.stamp, nowNs) {
                // It is looked at again when whoever writes it closes it, which is told: this folder was being
                // watched already. Of one that has just come nobody knows what was closed before.
                if let before { found.seen.append(before.id) }
            } else {
                found.changed.append(ScanPlan.File(note: note, name: file.name, stamp: file.stamp, companions: companions))
            }
        }
        for name in known.keys {
            try scan.catalogue.noteGone(note.path(of: name))
            found.gone += 1
        }
    }

    private func isWarm(_ stamp: FileStamp, _ nowNs: Int64) -> Bool {
        (0..<Scan.warmMs * 1_000_000).contains(nowNs - stamp.changedNs)
    }
}
