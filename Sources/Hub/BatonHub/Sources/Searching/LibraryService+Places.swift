import BatonCore
import BatonSeams

/// Marks of tracks that several sources have, and which items are kept apart.
extension LibraryService {
    /// Sets a favourite or stars on all of them, and tells their sources. False when all of it was so already.
    func mark(_ items: [NewEntry], _ note: WriteBack, atMs: Int64) async throws(SourceFault) -> Bool {
        guard !items.isEmpty else { return false }
        let changed = try await keep { userMarks throws(SourceFault) in
            var changed: [ItemURI] = []
            for item in items {
                let isNew =
                    switch note {
                    case .stars(_, let stars): try userMarks.setStars(item, stars, atMs: atMs)
                    case .favourite(_, let isFavourite): try userMarks.setFavourite(item, isFavourite, atMs: atMs)
                    default: false
                    }
                if isNew { changed.append(item.uri) }
            }
            return changed
        }
        for uri in changed {
            backgroundQueue.add { [sources] in await sources.writeBack(note.about(uri), about: uri, atMs: atMs) }
        }
        return !changed.isEmpty
    }

    func readSplits(_ keeper: any FoldSplitKeeper) {
        backgroundQueue.add { [weak self] in
            let splits = try? await self?.limited(Self.backgroundLimit) { () async throws(SourceFault) in try keeper.splits() }
            self?.sources.splits.formUnion(splits ?? [])
        }
    }

    /// False when it was so already.
    func set(_ split: FoldSplit, _ isOn: Bool) async throws(SourceFault) -> Bool {
        guard let splits else { throw SourceFault(.unsupported, "This hub was started without a place to keep such things.") }
        guard !isOn || sources.splits.count < FoldSplits.most else {
            throw SourceFault(.quota, "A hub keeps \(FoldSplits.most) pairs of items apart at most.")
        }
        let isNew = try await sources.inBlockingPool { () async throws(SourceFault) in try splits.setSplit(split, isOn) }
        _ = sources.splits.set(split, isOn)
        sources.knownPlaces.forget([split.first, split.second])
        return isNew
    }
}

extension WriteBack {
    /// The same mark of another item.
    fileprivate func about(_ uri: ItemURI) -> WriteBack {
        switch self {
        case .favourite(_, let isFavourite): .favourite(uri, isFavourite)
        case .stars(_, let stars): .stars(uri, stars)
        default: self
        }
    }
}
