/// Rows of several sources, where the same track of two sources is one row with two places.
///
/// A value that is given rows in the order in which they are shown. A row joins an earlier one when title, artists and album
/// fold to the same text, disc and track are the same, and the lengths differ by no more than two seconds; else it is a row of
/// its own. A row that was shown never moves and never goes. Rows of one source never fold into each other, so a hub with one
/// source shows what that source answers.
package struct FoldedRows: Sendable {
    /// Where a row comes from.
    package struct Origin: Equatable, Sendable {
        package var source: String
        /// On this machine or its disks: the first place of a track to play from.
        package var isLocal: Bool

        package init(_ source: String, isLocal: Bool) {
            self.source = source
            self.isLocal = isLocal
        }
    }

    package enum Addition: Equatable, Sendable {
        case row(ItemRow)
        /// It is a place of this earlier row, whose places are these now.
        case joined(ItemURI, places: [ItemURI])
    }

    /// Folds only into rows before this many, so that a long list costs no more memory.
    package static let mostKept = 400

    fileprivate struct Place: Sendable {
        var uri: ItemURI
        var origin: Origin
        var quality: SoundQuality?
    }

    private struct Head: Sendable {
        var uri: ItemURI
        var durationMs: Int
        /// Best first.
        var places: [Place]
    }

    private var heads: [Head] = []
    private var headsByKey: [String: [Int]] = [:]
    private var headsByPlace: [ItemURI: Int] = [:]
    private let splits: FoldSplits

    package init(splits: FoldSplits = FoldSplits()) { self.splits = splits }

    /// A row that was added before comes to the same again, so a page that is asked for twice is the same page.
    package mutating func add(_ row: ItemRow, from origin: Origin, _ key: FoldKey?) -> Addition {
        if let known = headsByPlace[row.uri] {
            return heads[known].uri == row.uri ? .row(named(row, known)) : .joined(heads[known].uri, places: places(of: known))
        }
        guard let key else { return .row(row) }
        let place = Place(uri: row.uri, origin: origin, quality: row.quality)
        if let at = head(for: place, key) {
            heads[at].places.insert(place, at: heads[at].places.firstIndex { place.isBetter(than: $0) } ?? heads[at].places.count)
            headsByPlace[row.uri] = at
            return .joined(heads[at].uri, places: places(of: at))
        }
        guard heads.count < Self.mostKept else { return .row(row) }
        headsByKey[key.text, default: []].append(heads.count)
        headsByPlace[row.uri] = heads.count
        heads.append(Head(uri: row.uri, durationMs: key.durationMs, places: [place]))
        return .row(row)
    }

    package mutating func add(_ row: ItemRow, from origin: Origin) -> Addition { add(row, from: origin, FoldKey(row)) }

    private func named(_ row: ItemRow, _ head: Int) -> ItemRow {
        var row = row
        row.places = places(of: head)
        return row
    }

    /// Empty while there is only one.
    private func places(of head: Int) -> [ItemURI] {
        let places = heads[head].places
        return places.count < 2 ? [] : places.map(\.uri)
    }

    /// The earlier row that this is a place of: that of the nearest length.
    private func head(for place: Place, _ key: FoldKey) -> Int? {
        let near = (headsByKey[key.text] ?? []).filter { at in
            abs(heads[at].durationMs - key.durationMs) <= FoldKey.toleranceMs
                && !heads[at].places.contains { $0.origin.source == place.origin.source || splits.contains($0.uri, place.uri) }
        }
        return near.min { abs(heads[$0].durationMs - key.durationMs) < abs(heads[$1].durationMs - key.durationMs) }
    }
}

extension FoldedRows.Place {
    fileprivate func isBetter(than other: Self) -> Bool {
        guard origin.isLocal == other.origin.isLocal else { return origin.isLocal }
        switch (quality, other.quality) {
        case (let mine?, let its?): return its < mine
        case (_?, nil): return true
        case (nil, _): return false
        }
    }
}

/// What tells one track from another, whichever source it is of.
package struct FoldKey: Hashable, Sendable {
    package static let toleranceMs = 2_000

    package let text: String
    package let durationMs: Int

    /// `nil` for rows that fold into nothing: containers, what has no end, and what says too little of itself.
    package init?(_ row: ItemRow) { self.init(row.tags) }

    package init?(_ tags: Tags) {
        guard tags.kind == .track, let durationMs = tags.durationMs else { return nil }
        let title = Folding.fold(tags.title)
        let artist = Folding.fold(tags.artists.joined(separator: " "))
        guard !title.isEmpty, !artist.isEmpty else { return nil }
        // Folded texts hold no line ends. Servers leave the disc out where there is only one.
        text = "\(title)\n\(artist)\n\(Folding.fold(tags.album))\n\(max(1, tags.disc ?? 1))\n\(tags.track ?? 0)"
        self.durationMs = durationMs
    }
}

/// Pairs of items that a person has said are not the same track.
package struct FoldSplits: Equatable, Sendable {
    package static let most = 10_000

    private var pairs: Set<FoldSplit> = []

    package init(_ pairs: some Sequence<FoldSplit> = []) { self.pairs = Set(pairs) }

    package var count: Int { pairs.count }

    package func contains(_ a: ItemURI, _ b: ItemURI) -> Bool { !pairs.isEmpty && pairs.contains(FoldSplit(a, b)) }

    package mutating func formUnion(_ more: [FoldSplit]) { pairs.formUnion(more) }

    /// False when it was so already.
    package mutating func set(_ split: FoldSplit, _ isSplit: Bool) -> Bool {
        isSplit ? pairs.insert(split).inserted : pairs.remove(split) != nil
    }
}

/// Two items that are not the same track, in either order.
package struct FoldSplit: Hashable, Sendable {
    package let first: ItemURI
    package let second: ItemURI

    package init(_ a: ItemURI, _ b: ItemURI) {
        (first, second) = a.text <= b.text ? (a, b) : (b, a)
    }
}
