import SQLite

/// The position of an answer in both of its streams.
struct SearchPosition {
    struct Progress {
        var tier = 0
        var searchEntry: SearchEntry?
    }

    var stage = 0
    /// True if the first stream has no more hits than those shown.
    var isAllShown = false
    /// Number of hits shown in this stage.
    var shown = 0
    var holders: Progress
    var tracks: Progress

    static let beginning = SearchPosition(holders: Progress(), tracks: Progress())

    init(holders: Progress, tracks: Progress) {
        self.holders = holders
        self.tracks = tracks
    }

    mutating func pass(_ hit: LibraryDatabase.Hit, in stage: SearchStage) {
        shown += 1
        if stage.isOfTracks {
            tracks = Progress(tier: hit.tier, searchEntry: hit.searchEntry)
        } else {
            holders = Progress(tier: hit.tier, searchEntry: hit.searchEntry)
        }
    }

    init?(_ text: String) {
        guard let cursor = Cursor(text), cursor.key.count == 9, cursor.part < 3 else { return nil }
        let numbers = cursor.key.map { if case .int(let number) = $0 { Int(number) } else { 0 } }
        func progress(_ at: Int) -> Progress {
            guard case .text(let sort) = cursor.key[at + 2] else { return Progress(tier: min(max(0, numbers[at]), 8)) }
            return Progress(
                tier: min(max(0, numbers[at]), 8),
                searchEntry: SearchEntry(unplayed: numbers[at + 1], sort: sort, hash: Int64(numbers[at + 3]), words: ""))
        }
        self.init(holders: progress(1), tracks: progress(5))
        stage = cursor.part
        shown = max(0, numbers[0])
    }

    var text: String {
        func values(_ place: Progress) -> [Database.Value] {
            [
                .int(place.tier), .maybe(place.searchEntry?.unplayed), .maybe(place.searchEntry?.sort),
                place.searchEntry.map { .int($0.hash) } ?? .null,
            ]
        }
        return Cursor(part: stage, key: [.int(shown)] + values(holders) + values(tracks)).text
    }
}
