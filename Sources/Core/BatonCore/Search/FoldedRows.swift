/// Merges rows of several sources: the same track in two sources is one row with two variants.
///
/// A value that takes rows in the order in which they are shown. A row joins an earlier one when title, artists and album fold to the same text, disc
/// and track are equal, and the lengths differ by at most two seconds; otherwise it is a row of its own. Rows that were shown never move or
/// disappear. Rows of one source are never merged with each other, so a hub with one source shows that source's answer.
package struct FoldedRows: Sendable {
    /// The source of a row, and how near it is.
    package struct Origin: Equatable, Sendable {
        /// The name of the source, as in its URIs.
        package var source: String
        /// True for sources on this machine, whose copy of a track plays first.
        package var isLocal: Bool

        package init(_ source: String, isLocal: Bool) {
            self.source = source
            self.isLocal = isLocal
        }
    }

    /// The effect of a row on the list.
    package enum Addition: Equatable, Sendable {
        /// The row is shown, with all variants that are known so far.
        case row(ItemRow)
        /// The item is another variant of an earlier row, whose variants are listed.
        case joined(ItemURI, variants: [ItemURI])
    }

    /// Number of rows that later rows can join, which limits memory.
    package static let mostKept = 400

    fileprivate struct Variant: Sendable {
        var uri: ItemURI
        var origin: Origin
        var quality: SoundQuality?
    }

    private struct Head: Sendable {
        var uri: ItemURI
        var durationMs: Milliseconds
        /// The variants of the track, best first.
        var variants: [Variant]
    }

    private var heads: [Head] = []
    private var headsByKey: [String: [Int]] = [:]
    private var headsByVariant: [ItemURI: Int] = [:]
    private let splits: FoldSplits

    package init(splits: FoldSplits = FoldSplits()) { self.splits = splits }

    /// Adds a row. A row that was added before gives the same result, so a repeated request gets the same page.
    package mutating func add(_ row: ItemRow, from origin: Origin, _ key: FoldKey?) -> Addition {
        if let known = headsByVariant[row.uri] {
            return heads[known].uri == row.uri ? .row(named(row, known)) : .joined(heads[known].uri, variants: variants(of: known))
        }
        guard let key else { return .row(row) }
        let variant = Variant(uri: row.uri, origin: origin, quality: row.quality)
        if let at = head(for: variant, key) {
            heads[at].variants.insert(variant, at: heads[at].variants.firstIndex { variant.isBetter(than: $0) } ?? heads[at].variants.count)
            headsByVariant[row.uri] = at
            return .joined(heads[at].uri, variants: variants(of: at))
        }
        guard heads.count < Self.mostKept else { return .row(row) }
        headsByKey[key.text, default: []].append(heads.count)
        headsByVariant[row.uri] = heads.count
        heads.append(Head(uri: row.uri, durationMs: key.durationMs, variants: [variant]))
        return .row(row)
    }

    /// Adds a row by the identity that its tags give it.
    package mutating func add(_ row: ItemRow, from origin: Origin) -> Addition { add(row, from: origin, FoldKey(row)) }

    private func named(_ row: ItemRow, _ head: Int) -> ItemRow {
        var row = row
        row.variants = variants(of: head)
        return row
    }

    /// The variants of a row; empty while there is only one.
    private func variants(of head: Int) -> [ItemURI] {
        let variants = heads[head].variants
        return variants.count < 2 ? [] : variants.map(\.uri)
    }

    /// The earlier row of the same track, the nearest in length.
    private func head(for variant: Variant, _ key: FoldKey) -> Int? {
        let near = (headsByKey[key.text] ?? []).filter { at in
            (heads[at].durationMs - key.durationMs).magnitude <= FoldKey.toleranceMs
                && !heads[at].variants.contains { $0.origin.source == variant.origin.source || splits.contains($0.uri, variant.uri) }
        }
        func differenceMs(_ at: Int) -> Milliseconds { (heads[at].durationMs - key.durationMs).magnitude }
        return near.min { differenceMs($0) < differenceMs($1) }
    }
}

extension FoldedRows.Variant {
    fileprivate func isBetter(than other: Self) -> Bool {
        guard origin.isLocal == other.origin.isLocal else { return origin.isLocal }
        switch (quality, other.quality) {
        case (let mine?, let its?): return its < mine
        case (_?, nil): return true
        case (nil, _): return false
        }
    }
}

/// The identity of a track across sources.
package struct FoldKey: Hashable, Sendable {
    /// Difference in length up to which two recordings count as the same.
    package static let toleranceMs: Milliseconds = 2_000

    /// Title, artists, album, disc and track, folded, on one line each.
    package let text: String
    /// The length, which is compared with tolerance and so is no part of `text`.
    package let durationMs: Milliseconds

    /// `nil` for rows that cannot be merged: containers, endless streams, and rows with too few tags.
    package init?(_ row: ItemRow) { self.init(row.tags) }

    /// The identity by tags alone; `nil` for what cannot be merged.
    package init?(_ tags: Tags) {
        guard tags.kind == .track, let durationMs = tags.durationMs else { return nil }
        let title = Folding.fold(tags.title)
        let artist = Folding.fold(tags.artists.joined(separator: " "))
        guard !title.isEmpty, !artist.isEmpty else { return nil }
        // Folded texts have no line ends. Servers omit the disc where there is only one.
        text = "\(title)\n\(artist)\n\(Folding.fold(tags.album))\n\(max(1, tags.disc ?? 1))\n\(tags.track ?? 0)"
        self.durationMs = durationMs
    }
}

/// Pairs of items that a person has marked as different tracks.
package struct FoldSplits: Equatable, Sendable {
    /// Number of pairs that a hub stores.
    package static let most = 10_000

    private var pairs: Set<FoldSplit> = []

    package init(_ pairs: some Sequence<FoldSplit> = []) { self.pairs = Set(pairs) }

    /// Number of pairs, for the limit.
    package var count: Int { pairs.count }

    /// True when a person has said that these two differ, in either order.
    package func contains(_ a: ItemURI, _ b: ItemURI) -> Bool { !pairs.isEmpty && pairs.contains(FoldSplit(a, b)) }

    package mutating func formUnion(_ more: [FoldSplit]) { pairs.formUnion(more) }

    /// Returns false when nothing changes.
    package mutating func set(_ split: FoldSplit, _ isSplit: Bool) -> Bool {
        isSplit ? pairs.insert(split).inserted : pairs.remove(split) != nil
    }
}

/// Two items that are different tracks, in either order.
package struct FoldSplit: Hashable, Sendable {
    /// The item whose URI comes first in the order of text, so that a pair has one form.
    package let first: ItemURI
    /// The item whose URI comes second in the order of text.
    package let second: ItemURI

    package init(_ a: ItemURI, _ b: ItemURI) {
        (first, second) = a.text <= b.text ? (a, b) : (b, a)
    }
}
