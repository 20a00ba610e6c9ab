/// A library of its own for each test, and music to put into it.
import BatonCore
import BatonSeams
import BatonWire
import Foundation
import Harness
import SQLite

@testable import Stores

func withLibrary<Result>(_ body: (LibraryStore) throws -> Result) throws -> Result {
    try withFolder { folder in
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let library = try LibraryStore(folder: folder)
        defer { library.close() }
        return try body(library)
    }
}

extension Database {
    /// As a version wrote it that knew no places of people.
    func forgetListening() throws {
        try forgetUsers()
        try execute("DROP TABLE bookmark; DROP TABLE place; DROP TABLE up_next; DROP TABLE listener")
    }

    /// As a version wrote it that knew no users.
    func forgetUsers() throws {
        try execute(
            """
            DROP TABLE song_found; DROP TABLE song_text; DROP TABLE song; DROP TABLE song_folder;
            ALTER TABLE folder DROP COLUMN changed;
            DROP TABLE artist_picture; DROP TABLE word; DROP TABLE content_id; DROP TABLE own_mark; DROP INDEX play_of_person; ALTER TABLE play DROP COLUMN person; ALTER TABLE play DROP COLUMN asked_by;
            ALTER TABLE playlist DROP COLUMN sharing; ALTER TABLE playlist DROP COLUMN link;
            ALTER TABLE deleted_playlist DROP COLUMN sharing; ALTER TABLE deleted_playlist DROP COLUMN link;
            ALTER TABLE playlist DROP COLUMN about; ALTER TABLE playlist DROP COLUMN made_ms;
            ALTER TABLE deleted_playlist DROP COLUMN about; ALTER TABLE deleted_playlist DROP COLUMN made_ms;
            """)
    }

    /// As a version wrote it that knew no books. What a later step makes anew is left out.
    func forgetBooks() throws {
        try forgetListening()
        let indices =
            ["file_of_book", "track_with_remark", "book_by_title"]
            + ["title", "artist", "year", "plays", "played", "stars"].map { "track_by_" + $0 }
        let columns = ["folder holds", "file book"] + ["kind", "narrators", "series", "number", "place", "remark"].map { "track " + $0 }
        try execute("DROP VIEW release_year; " + indices.map { "DROP INDEX \($0); " }.joined())
        try execute(
            columns.map { $0.split(separator: " ") }.map { "ALTER TABLE \($0[0]) DROP COLUMN \($0[1]); " }.joined()
                + "CREATE VIEW release_year AS SELECT year AS id, count(*) AS tracks FROM track GROUP BY year")
    }
}

/// A file of music as a scan finds it.
struct Song {
    var folder = "/music"
    var name: String
    var sound: UInt64
    var facts = TrackFacts()

    init(_ title: String, by artists: [String] = [], on album: String = "", in folder: String = "/music", sound: UInt64? = nil) {
        self.folder = folder
        name = title + ".flac"
        self.sound = sound ?? StableHash.of(folder + title + artists.joined())
        facts.tags = Tags(title: title, artists: artists, durationMs: 180_000)
        facts.tags.album = album
    }

    func with(_ change: (inout TrackFacts) -> Void) -> Song {
        var song = self
        change(&song.facts)
        return song
    }

    var scanned: ScannedFile { scanned(modifiedNs: 1) }

    func scanned(modifiedNs: Int64) -> ScannedFile {
        ScannedFile(
            folder: folder, name: name, stamp: FileStamp(size: 1000, modifiedNs: modifiedNs, inode: sound & 0xFFFF), companions: 0,
            content: .tracks([facts], fingerprint: Fingerprint(high: sound, low: 7), lyrics: nil))
    }
}

extension LibraryStore {
    /// A whole scan that finds these and nothing else.
    @discardableResult
    func scan(_ songs: [Song], below folders: [String] = ["/music"], atMs: Milliseconds = 1_000) throws -> ScanID {
        let scan = try beginScan(atMs: atMs)
        try store(songs.map(\.scanned), in: scan, atMs: atMs)
        try endScan(scan, below: folders, ScanReport(), atMs: atMs)
        return scan
    }

    func titles(_ text: String, kinds: [ItemKind] = [.track]) throws -> [String] {
        try search(SearchQuery(text, kinds: kinds)).rows.map(\.tags.title)
    }

    func titles(in node: String, sort: BrowseQuery.Sort? = nil) throws -> [String] {
        try browse(BrowseQuery(node: ItemURI(node), sort: sort)).rows.map(\.tags.title)
    }

    func uri(_ title: String) throws -> ItemURI? {
        try search(SearchQuery(title, kinds: [.track])).rows.first { $0.tags.title == title }?.uri
    }
}

/// The fault that `body` throws, if it throws one of a source.
func sourceFault(_ body: () throws -> Void) -> SourceFault? {
    do {
        try body()
        return nil
    } catch {
        return error as? SourceFault
    }
}

/// A library of any size, the same for the same seed: names of a few thousand words, albums of a dozen
/// tracks, most artists with several of them.
struct SyntheticMusic {
    private var random: SeededGenerator
    private let words: [String]

    init(seed: UInt64 = 6) {
        random = SeededGenerator(seed)
        let starts = [
            "b", "br", "c", "d", "dr", "f", "g", "h", "j", "k", "l", "m", "n", "p", "qu", "r", "s", "sh", "st", "t", "th", "v", "w", "y",
            "",
        ]
        let middles = ["a", "e", "i", "o", "u", "ai", "ea", "oo", "ü", "é"]
        let ends = ["n", "r", "st", "ll", "m", "ng", "t", "ck", "", "lo", "na", "ter", "ven", "ßen", "rio"]
        var words: [String] = []
        for start in starts { for middle in middles { for end in ends { words.append(start + middle + end) } } }
        self.words = words
    }

    /// Common words are common, as in songs.
    mutating func word() -> String {
        let number = Double(random.next() >> 11) / Double(1 << 53)
        return words[Int(number * number * Double(words.count))]
    }

    mutating func name(_ most: Int) -> String {
        (0...Int(random.next() % UInt64(most))).map { _ in word().capitalized }.joined(separator: " ")
    }

    mutating func album(_ number: Int) -> [Song] {
        let artist = "\(name(2)) \(number / 3 % 4_000)"
        let title = name(3)
        let genre = ["Rock", "Jazz", "Pop", "Classical", "Folk", "Electronic", "Hip hop", "Soul"][Int(random.next() % 8)]
        return (1...12).map { track in
            let song = name(4)
            return Song(song, by: [artist], on: title, in: "/music/\(artist)/\(title) \(number)", sound: random.next()).with { facts in
                facts.tags.albumArtist = artist
                facts.tags.track = track
                facts.tags.year = 1960 + number % 65
                facts.tags.art = Artwork(id: "art\(number)", width: 600, height: 600)
                facts.picture = .file("/music/\(artist)/\(title) \(number)/cover.jpg")
                facts.genres = [genre]
            }
        }
    }
}
