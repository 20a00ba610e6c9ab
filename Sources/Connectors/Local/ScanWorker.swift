/// One of the hands of a scan: takes a job, does it, says what came of it.
import BatonCore
import BatonSeams

struct ScanWorker {
    let scan: Scan
    let order: Scan.Order
    let id: ScanID
    let coordinator: ScanCoordinator

    func work() async {
        while let (job, worker) = await coordinator.next() {
            do throws(SourceFault) {
                switch job {
                case .look(let looks): try await look(looks, worker)
                case .read(let files):
                    let read = FileReader(media: scan.media, disk: scan.disk, roots: order.roots).read(files)
                    await coordinator.read(read, below: files[0].note.root, worker: worker)
                case .keep(let files, let seen):
                    if !seen.isEmpty { try scan.catalogue.noteSeen(seen, in: id) }
                    if !files.isEmpty { try scan.catalogue.keep(files, in: id, atMs: scan.clock.wallMs) }
                    await coordinator.kept(worker: worker)
                }
            } catch {
                await coordinator.fail(error, worker: worker)
            }
        }
    }

    // MARK: - Looking

    /// A folder that could be listed, and what lies beside the music in it.
    private struct Listed {
        var look: ScanPlan.Look
        var listing: FolderListing
        var note: FolderNote
    }

    /// Throws what the catalogue says; what the disk says is an answer.
    private func look(_ looks: [ScanPlan.Look], _ worker: Int) async throws(SourceFault) {
        let sights: [FolderSight]
        do throws(SourceFault) {
            sights = try scan.disk.look(
                at: looks.map(\.path), within: order.roots, watchedBy: scan.watching, wanting: FolderNote.isWanted)
        } catch {
            return await coordinator.missing(looks[0].root, error.sentence, worker: worker)
        }
        var found = Found()
        // For those there was no time.
        found.looks = Array(looks[sights.count...])
        let listed = try await enter(zip(looks, sights), &found)
        for (folder, known) in zip(listed, try scan.catalogue.known(in: listed.map(\.note.path))) {
            try compare(folder, known, &found)
            for name in folder.listing.strange.map(folder.note.path) {
                found.failed += 1
                found.problems.append("\(name) was left out: its name is not UTF-8. Rename it, for instance with convmv.")
            }
            if folder.look.isDeep { goDeeper(folder, &found) }
        }
        await coordinator.found(found, below: looks[0].root, worker: worker)
    }

    /// Those that are to be compared.
    private func enter(
        _ sights: some Sequence<(ScanPlan.Look, FolderSight)>, _ found: inout Found
    ) async throws(SourceFault) -> [Listed] {
        var listed: [Listed] = []
        for (look, sight) in sights {
            found.unwatched = found.unwatched ?? sight.unwatched
            switch sight.listing {
            case .failure(let fault): try failed(look, fault, &found)
            case .success(let listing) where isBare(listing, look):
                found.missing = "\(look.path) is empty, and there was music in it: is its disk there? What is known of it is kept."
            case .success(let listing):
                let note = FolderNote(look.path, root: look.root, listing)
                listed.append(Listed(look: look, listing: listing, note: note))
            }
        }
        let isNew = await coordinator.enter(listed.map(\.listing.identity))
        return zip(listed, isNew).filter(\.1).map(\.0)
    }

    /// The place where a disk was is an empty folder when it is gone.
    private func isBare(_ listing: FolderListing, _ look: ScanPlan.Look) -> Bool {
        listing.files.isEmpty && listing.folders.isEmpty && look.path == order.roots[look.root]
            && order.library.tracks[look.path, default: 0] > 0
    }

    private func failed(_ look: ScanPlan.Look, _ fault: SourceFault, _ found: inout Found) throws(SourceFault) {
        if look.path == order.roots[look.root] {
            found.missing = fault.sentence
        } else if fault.code == .notFound {
            // It went between being named and being listed.
            if !order.isWhole { try scan.catalogue.noteGone(look.path) }
            found.gone += 1
        } else if fault.code == .unavailable {
            found.passing.append(fault.sentence)
        } else {
            found.failed += 1
            found.problems.append(fault.sentence)
        }
    }

    private func goDeeper(_ folder: Listed, _ found: inout Found) {
        let names = folder.listing.folders
        guard folder.look.depth < Scan.deepest else {
            if !names.isEmpty {
                found.problems.append("What lies below \(folder.look.path) was left out: it is \(Scan.deepest) folders deep.")
            }
            return
        }
        found.looks += names.sorted().map {
            ScanPlan.Look(path: folder.note.path(of: $0), root: folder.look.root, depth: folder.look.depth + 1)
        }
    }

    /// What is here beside what is known of here.
    private func compare(_ folder: Listed, _ known: [String: KnownFile], _ found: inout Found) throws(SourceFault) {
        var missing = known
        let nowNs = scan.clock.wallMs * 1_000_000
        for file in folder.listing.files where FileName.isAudio(file.name) {
            found.music += 1
            let before = missing.removeValue(forKey: file.name)
            let companions = folder.note.companions(of: file.name)
            if let before, order.isFull == false, before.stamp == file.stamp, before.companions == companions {
                found.seen.append(before.id)
                if let problem = before.problem {
                    found.failed += 1
                    found.problems.append(problem)
                }
            } else if !order.isWhole, !folder.look.isDeep, isWarm(file.stamp, nowNs) {
                // It is read again when the writing program closes it, which is reported because this folder was
                // already watched. In a folder that has just appeared the close may have come before the watch.
                if let before { found.seen.append(before.id) }
            } else {
                found.changed.append(ScanPlan.File(note: folder.note, name: file.name, stamp: file.stamp, companions: companions))
            }
        }
        for name in missing.keys {
            try scan.catalogue.noteGone(folder.note.path(of: name))
            found.gone += 1
        }
    }

    private func isWarm(_ stamp: FileStamp, _ nowNs: Int64) -> Bool {
        (0..<Scan.warmMs * 1_000_000).contains(nowNs - stamp.changedNs)
    }
}
