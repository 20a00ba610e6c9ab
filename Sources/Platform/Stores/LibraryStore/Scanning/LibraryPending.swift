/// Changes to rows that many tracks of a transaction share. Each row is written once, at the end of the transaction.
import BatonCore
import SQLite

struct Pending {
    struct Growth {
        var tracks = 0
        var plays = 0
        var addedMs: Milliseconds = 0
    }

    var folders: [String: Int64] = [:]
    var pictures: [String: (id: Int64, hasPlace: Bool)] = [:]
    var holders: [String: Int64] = [:]
    /// New holders that have a number but no row yet.
    var newHolders: [Int64: LibraryDatabase.Holder] = [:]
    var lastHolder: Int64?
    /// Changes to the number of tracks of folders and holders.
    var counts: [Int64: Int] = [:]
    var growth: [Int64: Growth] = [:]
    /// Search entries to write; `nil` for those to remove.
    var searchEntries: [SearchEntryKey: SearchEntry?] = [:]
    /// Entries without an older version, so none has to be looked up.
    var newSearchEntries: [(key: SearchEntryKey, searchEntry: SearchEntry)] = []
    /// Songs to write by the numbers of their tracks; `nil` for those to remove.
    var songs: [Int64: SongRow?] = [:]
    /// True when folders have come or gone, so that the tree of songs has to be ordered anew.
    var ordersSongFolders = false
    /// Whether any item has marks or plays.
    var hasItems: Bool?

    mutating func grow(_ holder: Int64, by tracks: Int, plays: Int = 0, addedMs: Milliseconds = 0) {
        var grown = growth[holder] ?? Growth()
        grown.tracks += tracks
        grown.plays += plays
        grown.addedMs = max(grown.addedMs, addedMs)
        growth[holder] = grown
    }

    /// A lost entry may have been added in the same transaction.
    mutating func lose(_ key: SearchEntryKey) {
        for new in newSearchEntries { searchEntries[new.key] = new.searchEntry }
        newSearchEntries = []
        searchEntries[key] = .some(nil)
    }
}
