import BatonCore
import BatonKernel
import BatonSeams

/// Marks that people set on items.
extension LibraryService {
    /// Sets the mark on all known variants of the track. Without known variants they are searched afterwards. False when nothing changed.
    func mark(_ uri: ItemURI, _ note: WriteBack, by caller: Identity) async throws(SourceFault) -> Bool {
        let (item, shown) = try await known(uri, trust: caller.trust)
        // This comes before the server is told.
        try item.checkMark(isSet: note.isMark)
        let atMs = clock.now.wallMs
        if caller.person.isUser { return try await markOwn(item, note, of: caller.person, atMs: atMs) }
        let others = sources.knownVariants.others(of: uri)
        let isNew = try await mark([item] + (others ?? []).map { item.at($0) }, note, shown: shown, atMs: atMs)
        if isNew, others == nil, sources.hasRemote {
            backgroundQueue.add { [weak self, sources] in
                let variants = await sources.findVariants(of: item.uri, item.tags)
                _ = try? await self?.mark(variants.map { item.at($0) }, note, atMs: atMs)
            }
        }
        return isNew
    }

    /// The item with its texts, which are stored with the mark for the time when the source is down. If it is down already,
    /// the texts come from earlier answers or a queue. Also returns the item's mark at its source, if the source stores
    /// marks.
    private func known(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> (NewEntry, ItemMark?) {
        do throws(SourceFault) {
            let row = try await sources.details(of: uri, trust: trust).row
            let marks = !row.isAway && sources.able(to: .marks).contains(sources.name(of: row.uri))
            return (NewEntry(uri: row.uri, tags: row.tags), marks ? row.mark : nil)
        } catch {
            let queued = rooms.all.lazy.compactMap { $0.room.queue.entries.first { $0.uri == uri } }.first
            guard error.code == .unavailable, let tags = sources.shownTracks[uri]?.tags ?? queued?.tags else { throw error }
            return (NewEntry(uri: uri, tags: tags), nil)
        }
    }
}

extension WriteBack {
    /// True when a mark is set, false when it is removed.
    fileprivate var isMark: Bool {
        switch self {
        case .favourite(_, let isFavourite): isFavourite
        case .stars(_, let stars): stars > 0
        default: false
        }
    }
}

extension NewEntry {
    /// Another place of the same track, with that place's picture.
    fileprivate func at(_ uri: ItemURI) -> NewEntry {
        var tags = tags
        tags.art = nil
        return NewEntry(uri: uri, tags: tags)
    }
}
