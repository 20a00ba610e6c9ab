package import BatonCore
package import BatonSeams
import SQLite

/// Songs by their paths, for dialects that show the library as a tree of files.
extension LibraryStore: SongReading {
    package func eachRow(
        below folder: String, depth: SongDepth, after: SongPlace?, most: Int, _ take: (LentRow) -> Void
    ) throws(SourceFault) -> SongPlace? {
        try look { library throws(SourceFault) in
            guard let span = try library.songSpan(of: folder) else { return nil }
            switch depth {
            case .folder: return try library.songFolder(span, after: after, most: most, take)
            case .tree: return try library.songTree(span, after: after, most: most, take)
            }
        }
    }

    package func place(below folder: String, after: SongPlace?, skipping rows: Int) throws(SourceFault) -> SongPlace? {
        try look { library throws(SourceFault) in
            try library.songSpan(of: folder).flatMap { span throws(SourceFault) in try library.place(in: span, after: after, skipping: rows)
            }
        }
    }

    package func row(atPath path: String) throws(SourceFault) -> SongOrFolder? {
        try look { library throws(SourceFault) in try library.songOrFolder(atPath: path) }
    }

    package func songs(of items: [ItemURI]) throws(SourceFault) -> [Song?] {
        try look { library throws(SourceFault) in
            var songs: [Song?] = []
            for item in items { songs.append(try library.song(of: item)) }
            return songs
        }
    }

    package func songs(_ search: SongSearch, after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<Song> {
        try look { library throws(SourceFault) in
            guard let span = try library.songSpan(of: search.folder) else { return SongPage(rows: [], next: nil) }
            return try library.songs(search, span, after: after, most: most)
        }
    }

    package func find(_ search: SongSearch, isWhole: Bool) throws(SourceFault) -> [Int64]? {
        let isIndexed = LibraryDatabase.isIndexed(search)
        guard isIndexed || isWhole && LibraryDatabase.isText(search) else { return nil }
        return try look { library throws(SourceFault) in
            guard let span = try library.songSpan(of: search.folder) else { return [] }
            if !isIndexed, try library.isCommon(search) { return nil }
            return try library.found(search, span)
        }
    }

    package func songs(numbered numbers: ArraySlice<Int64>) throws(SourceFault) -> [Song] {
        try look { library throws(SourceFault) in
            var songs: [Song] = []
            songs.reserveCapacity(numbers.count)
            for number in numbers {
                if let song = try library.song(number) { songs.append(song) }
            }
            return songs
        }
    }

    package func values(of tags: [TagName]) throws(SourceFault) -> [SongValues] {
        try look { library throws(SourceFault) in try library.songValues(of: tags).values }
    }

    package func comments(atPath path: String) throws(SourceFault) -> [(name: String, value: String)] {
        try look { library throws(SourceFault) in
            guard let number = try library.songNumber(atPath: path) else { return [] }
            return try library.songComments(number)
        }
    }

    package func totals() throws(SourceFault) -> SongTotals {
        try look { library throws(SourceFault) in
            let artists = try library.songValues(of: [.artist])
            let albums = try library.songValues(of: [.album]).values
            let named = { (values: [SongValues]) in values.count { $0.values != [""] } }
            return SongTotals(
                songs: artists.songs, artists: named(artists.values), albums: named(albums), durationMs: artists.durationMs)
        }
    }
}

extension LibraryDatabase {
    /// The combinations of values, and the number and length of all songs.
    fileprivate func songValues(of tags: [TagName]) throws(SourceFault) -> (values: [SongValues], songs: Int, durationMs: Int) {
        var counter = SongValueCounter(tags)
        var songs = 0
        var durationMs = 0
        try each("SELECT lines, duration_ms FROM song") { row in
            let ms = row.int(1)
            songs += 1
            durationMs += ms
            row.withBlob(0) { counter.add($0, durationMs: ms) }
        }
        return (counter.values(), songs, durationMs)
    }
}
