import BatonCore
import BatonSeams

/// Marks of tracks that several sources have, and which items are kept apart.
extension LibraryService {
    /// Sets a favourite or stars on all of them, and tells their sources. False when all of it was so already.
    ///
    /// Their sources are told before the marks are kept here: when the hub ends in between, the client has no answer and asks
    /// again, and the marks would be old ones by then. `shown` is the first one's mark at its source, where that keeps marks.
    func mark(
        _ items: [NewEntry], _ note: WriteBack, shown: ItemMark? = nil, atMs: Int64
    ) async throws(SourceFault) -> Bool {
        guard !items.isEmpty else { return false }
        var isTold = false
        for (index, item) in items.enumerated() {
            if try await tell(note, about: item.uri, index == 0 ? shown : nil, atMs: atMs) { isTold = true }
        }
        let isNew = try await keep { userMarks throws(SourceFault) in
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
        return isNew || isTold
    }

    /// False when nothing is new for its source.
    private func tell(_ note: WriteBack, about uri: ItemURI, _ shown: ItemMark?, atMs: Int64) async throws(SourceFault) -> Bool {
        let source = sources.name(of: uri)
        guard delivery.isWanted(note, by: source) else { return false }
        let here = try await look { userMarks throws(SourceFault) in try userMarks.marks(of: [uri])[uri] } ?? ItemMark()
        let isPending = delivery.pendingItems[uri] != nil
        let isNew =
            switch note {
            case .favourite(_, let wanted): here.isFavourite != wanted || (!isPending && shown.map { $0.isFavourite != wanted } ?? false)
            case .stars(_, let wanted): here.stars != wanted || (!isPending && shown.map { $0.stars != wanted } ?? false)
            default: false
            }
        if isNew { try await delivery.add(note.about(uri), for: source, atMs: atMs) }
        return isNew
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
