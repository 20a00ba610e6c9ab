/// One worker of a scan: takes a job, runs it and reports the result.
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
                case .store(let files, let seen):
                    if !seen.isEmpty { try scan.catalogue.noteSeen(seen, in: id) }
                    if !files.isEmpty { try scan.catalogue.store(files, in: id, atMs: scan.clock.wallMs) }
                    await coordinator.stored(worker: worker)
                }
            } catch {
                await coordinator.fail(error, worker: worker)
            }
        }
    }

    // MARK: - Listing

    /// A listed folder with the companion files of its music.
    private struct Listed {
        var look: ScanPlan.Look
        var listing: FolderListing
        var note: FolderNote
        /// Disc folders inside it that hold files of its book.
        var discs: [String] = []
    }

    /// Lists folders. Faults of the catalogue are thrown; faults of the disk become part of the result.
    private func look(_ looks: [ScanPlan.Look], _ worker: Int) async throws(SourceFault) {
        let sights: [FolderSnapshot]
        do throws(SourceFault) {
            sights = try scan.disk.look(
                at: looks.map(\.path), within: order.roots, watchedBy: scan.watching, wanting: FolderNote.isWanted)
        } catch {
            return await coordinator.missing(looks[0].root, error.sentence, worker: worker)
        }
        var found = Found()
        // Folders that were not reached in time are listed later.
        found.looks = Array(looks[sights.count...])
        let listed = try await enter(zip(looks, sights), &found)
        try scan.catalogue.noteTimes(
            of: Dictionary(listed.map { ($0.note.path, $0.listing.changed) }, uniquingKeysWith: { first, _ in first }))
        for folder in listed {
            try compare(folder, with: try known(in: folder), into: &found)
            note(listsAndArtistIn: folder, &found)
            for name in folder.listing.strange.map(folder.note.path) {
                found.failed += 1
                found.problems.append("\(name) was left out: its name is not UTF-8. Rename it, for instance with convmv.")
            }
            goDeeper(folder, &found)
        }
        await coordinator.found(found, below: looks[0].root, worker: worker)
    }

    /// The folders to compare with the catalogue.
    private func enter(
        _ sights: some Sequence<(ScanPlan.Look, FolderSnapshot)>, _ found: inout Found
    ) async throws(SourceFault) -> [Listed] {
        var listed: [Listed] = []
        for (look, sight) in sights {
            found.unwatched = found.unwatched ?? sight.unwatched
            switch sight.listing {
            case .failure(let fault): try failed(look, because: fault, into: &found)
            case .success(let listing) where isBare(listing, look):
                found.missing = "\(look.path) is empty, and there was music in it: is its disk there? What is known of it is kept."
            case .success(let listing):
                if let folder = try with(listing, at: look, into: &found) { listed.append(folder) }
            }
        }
        let isNew = await coordinator.enter(listed.map(\.listing.identity))
        return zip(listed, isNew).filter(\.1).map(\.0)
    }

    /// The folder, together with its disc folders if it is a book. It is `nil` when a disc cannot be listed now;
    /// otherwise the book would lose that disc.
    private func with(_ listing: FolderListing, at look: ScanPlan.Look, into found: inout Found) throws(SourceFault) -> Listed? {
        let books = order.library.books(in: look.path)
        var whole = listing
        var discs: [String] = []
        if case .one? = books {
            let names = listing.folders.filter { DiscFolder.number($0) != nil }.sorted(by: NaturalOrder.precedes)
            for name in names {
                guard let disc = disc(name, in: look, &found) else { return nil }
                whole.files += disc.files.map { FolderListing.File(name: "\(name)/\($0.name)", stamp: $0.stamp) }
                whole.folders += disc.folders.map { "\(name)/\($0)" }
                whole.strange += disc.strange.map { "\(name)/\($0)" }
            }
            whole.folders.removeAll { names.contains($0) }
            discs = names
        }
        guard case .known(let above) = pictureAbove(look, books: books, notedIn: &found) else { return nil }
        let note = FolderNote(look.path, root: look.root, books: books, above: above, whole)
        return Listed(look: look, listing: whole, note: note, discs: discs)
    }

    /// The picture in the parent folder, which is known if the scan came from there. After an event the parent is
    /// listed here, and the picture stays unknown if the disk does not respond.
    private func pictureAbove(_ look: ScanPlan.Look, books: FolderBooks?, notedIn found: inout Found) -> ScanPlan.Above {
        guard look.above == .unknown else { return look.above }
        let name = look.path.split(separator: "/").last.map(String.init) ?? ""
        guard books == nil, DiscFolder.number(name) != nil, let around = RealPath.folder(of: look.path),
            RealPath.isBelow([order.roots[look.root]], around)
        else { return .known(nil) }
        do throws(SourceFault) {
            let listing = try scan.disk.list(around, within: order.roots, wanting: FolderNote.isWanted)
            return .known(FolderNote(around, root: look.root, listing).picture)
        } catch {
            guard error.code == .unavailable else { return .known(nil) }
            found.passing.append(error.sentence)
            return .unknown
        }
    }

    private func disc(_ name: String, in look: ScanPlan.Look, _ found: inout Found) -> FolderListing? {
        let path = "\(look.path)/\(name)"
        let sight: FolderSnapshot?
        do throws(SourceFault) {
            sight = try scan.disk.look(at: [path], within: order.roots, watchedBy: scan.watching, wanting: FolderNote.isWanted).first
        } catch {
            found.missing = error.sentence
            return nil
        }
        found.unwatched = found.unwatched ?? sight?.unwatched
        switch sight?.listing {
        case .success(let listing)?: return listing
        case .failure(let fault)? where fault.code == .unavailable: found.passing.append(fault.sentence)
        case .failure(let fault)?:
            // The disc folder was deleted since it was found, or is unreadable; the book continues without it.
            if fault.code != .notFound {
                found.failed += 1
                found.problems.append(fault.sentence)
            }
            return FolderListing(identity: FolderListing.Identity(device: 0, inode: 0), files: [], folders: [])
        case nil: found.passing.append("\(path) was not looked at: its disk took too long.")
        }
        return nil
    }

    /// The catalogue's records of the folder's files and of all its discs, including deleted ones, by relative path.
    private func known(in folder: Listed) throws(SourceFault) -> [String: KnownFile] {
        guard case .one? = folder.note.books else { return try scan.catalogue.known(in: [folder.note.path])[0] }
        let before = try scan.catalogue.knownFolders(in: folder.note.path).filter { DiscFolder.number($0) != nil }
        let discs = Set(folder.discs + before).sorted()
        let paths = [folder.note.path] + discs.map(folder.note.path)
        var known: [String: KnownFile] = [:]
        for (name, files) in zip([""] + discs.map { $0 + "/" }, try scan.catalogue.known(in: paths)) {
            for (file, there) in files { known[name + file] = there }
        }
        return known
    }

    /// Whether a library folder that had music is empty, which is what the mount point of a missing disk looks like.
    private func isBare(_ listing: FolderListing, _ look: ScanPlan.Look) -> Bool {
        listing.files.isEmpty && listing.folders.isEmpty && look.path == order.roots[look.root]
            && order.library.tracks[look.path, default: 0] > 0
    }

    private func failed(_ look: ScanPlan.Look, because fault: SourceFault, into found: inout Found) throws(SourceFault) {
        if look.path == order.roots[look.root] {
            found.missing = fault.sentence
        } else if fault.code == .notFound {
            // The folder was deleted since it was found.
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
        let isMusic = folder.note.books == nil
        func isDisc(_ name: String) -> Bool { isMusic && DiscFolder.number(name) != nil }
        let names = folder.look.isDeep ? folder.listing.folders : folder.listing.folders.filter(isDisc)
        guard folder.look.depth < Scan.deepest else {
            if !names.isEmpty {
                found.problems.append("What lies below \(folder.look.path) was left out: it is \(Scan.deepest) folders deep.")
            }
            return
        }
        found.looks += names.sorted().map {
            ScanPlan.Look(
                path: folder.note.path(of: $0), root: folder.look.root, depth: folder.look.depth + 1, isDeep: folder.look.isDeep,
                above: .known(isDisc($0) ? folder.note.picture : nil))
        }
    }

    /// Collects playlists and artist pictures. The files of a book are one track, so its folder has none.
    private func note(listsAndArtistIn folder: Listed, _ found: inout Found) {
        guard folder.note.books == nil else { return }
        found.looked.append(folder.note.path)
        for file in folder.listing.files where PlaylistFiles.isOne(file.name) {
            found.playlists[folder.note.path(of: file.name)] = file.stamp
        }
        if let picture = folder.note.artistPicture { found.artistPictures[folder.note.path(of: picture.name)] = picture.stamp }
    }

    /// Compares the files on the disk with the catalogue.
    private func compare(_ folder: Listed, with known: [String: KnownFile], into found: inout Found) throws(SourceFault) {
        var missing = known
        let music = folder.listing.files.filter { FileName.isAudio($0.name) }
        found.music += music.count
        let seen = music.map { file in
            Seen(file, before: missing.removeValue(forKey: file.name), companions: folder.note.companions(of: file.name))
        }
        switch folder.note.books {
        case .one: compare(book: seen, isWhole: missing.isEmpty, folder, &found)
        case .each, nil: for file in seen { compare(file, in: folder, into: &found) }
        }
        for name in missing.keys {
            try scan.catalogue.noteGone(folder.note.path(of: name))
            found.gone += 1
        }
    }

    /// A file on the disk with its record in the catalogue.
    private struct Seen {
        var file: FolderListing.File
        var before: KnownFile?
        var companions: Int64

        init(_ file: FolderListing.File, before: KnownFile?, companions: Int64) {
            self.file = file
            self.before = before
            self.companions = companions
        }

        var isUnchanged: Bool { before.map { $0.stamp == file.stamp && $0.companions == companions } ?? false }

        func planned(in note: FolderNote) -> ScanPlan.File {
            ScanPlan.File(note: note, name: file.name, stamp: file.stamp, companions: companions)
        }
    }

    private func compare(_ seen: Seen, in folder: Listed, into found: inout Found) {
        if !order.isFull, seen.isUnchanged || isStillWritten(seen, folder) {
            leave(seen, &found)
        } else {
            found.changed.append(seen.planned(in: folder.note))
        }
    }

    /// A change of one file may change the book's facts, so all of its files are read together.
    private func compare(book: [Seen], isWhole: Bool, _ folder: Listed, _ found: inout Found) {
        let isUnchanged = isWhole && book.allSatisfy(\.isUnchanged)
        if book.isEmpty || !order.isFull && (isUnchanged || book.contains { !$0.isUnchanged && isStillWritten($0, folder) }) {
            for seen in book { leave(seen, &found) }
        } else {
            let files = book.sorted { DiscFolder.precedes($0.file.name, $1.file.name) }.map { $0.planned(in: folder.note) }
            var first = files[0]
            first.others = Array(files.dropFirst())
            found.changed.append(first)
        }
    }

    private func leave(_ seen: Seen, _ found: inout Found) {
        guard let before = seen.before else { return }
        found.seen.append(before.id)
        guard seen.isUnchanged, let problem = before.problem else { return }
        found.failed += 1
        found.problems.append(problem)
    }

    /// Whether a program may still be writing the file. Closing it causes another event, because the folder is
    /// watched already; in a new folder the file may have been closed before the watch began.
    private func isStillWritten(_ seen: Seen, _ folder: Listed) -> Bool {
        let ageNs = scan.clock.wallMs.count * 1_000_000 - seen.file.stamp.modifiedNs
        return !order.isWhole && !folder.look.isDeep && (0..<Scan.warmMs.count * 1_000_000).contains(ageNs)
    }
}
