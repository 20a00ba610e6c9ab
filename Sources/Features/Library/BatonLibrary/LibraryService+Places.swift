import BatonCore
import BatonKernel
import BatonSeams

/// Marks of tracks at several sources, and items that are different tracks.
extension LibraryService {
    /// Sets a favourite or stars on all variants of a track, and tells their sources. False when nothing changed.
    ///
    /// The sources are told before the marks are stored here. If the hub ends in between, the client gets no answer and
    /// repeats the command, and stored marks would then count as no change. `shown` is the first place's mark at its source,
    /// if the source stores marks.
    func mark(
        _ items: [NewEntry], _ note: WriteBack, shown: ItemMark? = nil, atMs: Milliseconds
    ) async throws(SourceFault) -> Bool {
        guard !items.isEmpty else { return false }
        let isTold = try await tell(note, about: items.map(\.uri), shown, atMs: atMs)
        let isNew = try await changeMarks { userMarks throws(SourceFault) in
            var isNew = false
            for item in items {
                let changed =
                    switch note {
                    case .stars(_, let stars): try userMarks.setStars(item, stars, atMs: atMs)
                    case .favourite(_, let isFavourite): try userMarks.setFavourite(item, isFavourite, atMs: atMs)
                    default: false
                    }
                isNew = isNew || changed
            }
            return isNew
        }
        if isNew, case .favourite = note { copies?.note(.favourites) }
        return isNew || isTold
    }

    /// Sends a mark to the sources. False when none of them has a change.
    private func tell(_ note: WriteBack, about uris: [ItemURI], _ shown: ItemMark?, atMs: Milliseconds) async throws(SourceFault) -> Bool {
        let wanted = uris.filter { servers.isWanted(note, by: sources.name(of: $0)) }
        guard !wanted.isEmpty else { return false }
        let here = try await look { userMarks throws(SourceFault) in try userMarks.marks(of: wanted) }
        var isTold = false
        for uri in wanted {
            let mark = here[uri] ?? ItemMark()
            // A waiting note is newer than the mark at the server.
            let there = uri == uris.first && servers.pendingItems[uri] == nil ? shown : nil
            let isNew =
                switch note {
                case .favourite(_, let wanted): mark.isFavourite != wanted || there.map { $0.isFavourite != wanted } ?? false
                case .stars(_, let wanted): mark.stars != wanted || there.map { $0.stars != wanted } ?? false
                default: false
                }
            guard isNew else { continue }
            try await servers.add(note.about(uri), for: sources.name(of: uri), atMs: atMs)
            isTold = true
        }
        return isTold
    }

    func readSplits(_ storage: any FoldSplitStorage) {
        backgroundQueue.add { [weak self] in
            let splits = try? await self?.sources.limited(Sources.Limit.background) { () async throws(SourceFault) in try storage.splits() }
            self?.sources.splits.formUnion(splits ?? [])
        }
    }

    /// Stores whether two items are different tracks. False when nothing changed.
    func set(_ split: FoldSplit, _ isOn: Bool) async throws(SourceFault) -> Bool {
        guard let splits else { throw SourceFault(.unsupported, "This hub was started without a place to keep such things.") }
        guard !isOn || sources.splits.count < FoldSplits.most else {
            throw SourceFault(.quota, "A hub keeps \(FoldSplits.most) pairs of items apart at most.")
        }
        let isNew = try await sources.inBlockingPool { () async throws(SourceFault) in try splits.setSplit(split, isOn) }
        _ = sources.splits.set(split, isOn)
        sources.knownVariants.forget([split.first, split.second])
        return isNew
    }
}

extension WriteBack {
    /// The same mark for another item.
    fileprivate func about(_ uri: ItemURI) -> WriteBack {
        switch self {
        case .favourite(_, let isFavourite): .favourite(uri, isFavourite)
        case .stars(_, let stars): .stars(uri, stars)
        default: self
        }
    }
}
