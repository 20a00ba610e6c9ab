/// What a transaction has gathered about rows that many of its tracks share, so that each is written
/// once, and whole, at its end.
import BatonCore
import SQLite

struct Pending {
    struct Growth {
        var tracks = 0
        var plays = 0
        var addedMs: Int64 = 0
    }

    var folders: [String: Int64] = [:]
    var pictures: [String: Int64] = [:]
    var holders: [String: Int64] = [:]
    /// Those that came into being just now: they have a number, and no row yet.
    var newHolders: [Int64: LibraryDatabase.Holder] = [:]
    var lastHolder: Int64?
    /// Tracks that came to folders and holders, or left them.
    var counts: [Int64: Int] = [:]
    var growth: [Int64: Growth] = [:]
    /// Search entries to write; `nil` for those to remove.
    var searchEntries: [SearchEntryKey: SearchEntry?] = [:]
    /// Entries that could not be found before, so no old one has to be looked up.
    var newSearchEntries: [(key: SearchEntryKey, searchEntry: SearchEntry)] = []
    /// Whether people have touched anything.
    var hasItems: Bool?

    mutating func grow(_ holder: Int64, by tracks: Int, plays: Int = 0, addedMs: Int64 = 0) {
        var grown = growth[holder] ?? Growth()
        grown.tracks += tracks
        grown.plays += plays
        grown.addedMs = max(grown.addedMs, addedMs)
        growth[holder] = grown
    }

    /// A lost entry may have been added in this very transaction.
    mutating func lose(_ key: SearchEntryKey) {
        for new in newSearchEntries { searchEntries[new.key] = new.searchEntry }
        newSearchEntries = []
        searchEntries[key] = .some(nil)
    }
}
