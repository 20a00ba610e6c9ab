import BatonReading
import BatonSeams
import Testing

@testable import Media

/// Tags of files by their common names.
@Suite struct FileTagsTests {
    private func tags(_ tags: KeyValuePairs<String, String>) -> FileTags {
        FileTags(tags.map { FileFacts.Tag(name: Array($0.key.utf8), value: Array($0.value.utf8)) })
    }

    private func lines(_ tags: FileTags) -> [String] { tags.tags.map { "\($0.name.rawValue): \($0.value)" } }

    @Test func `the names of all formats are one, in the order of the file`() {
        let vorbis = tags(["TITLE": "Dawn", "ARTIST": "Amber Lane", "album_artist": "Amber Lane", "MUSICBRAINZ_TRACKID": "0b21"])
        #expect(lines(vorbis) == ["Title: Dawn", "Artist: Amber Lane", "AlbumArtist: Amber Lane", "MUSICBRAINZ_TRACKID: 0b21"])
        let frames = tags(["TIT1": "Suite", "MusicBrainz Album Id": "77", "artist-sort": "Lane, Amber", "publisher": "Quay"])
        #expect(lines(frames) == ["Grouping: Suite", "MUSICBRAINZ_ALBUMID: 77", "ArtistSort: Lane, Amber", "Label: Quay"])
        #expect(vorbis.others == [] && frames.others == [])
    }

    @Test func `frames and atoms have an order of their own, in which values of one name stay as they are`() {
        let words = ["MusicBrainz Album Id", "title", "disc", "genre", "album_artist", "artist", "album", "date", "TPE3"]
        let facts = words.map { FileFacts.Tag(name: Array($0.utf8), value: Array(($0 == "artist" ? "b;a" : "1").utf8)) }
        let names = { (codec: String) in FileTags(facts, codec: Array(codec.utf8)).tags.map(\.name) }
        let frames: [TagName] = [.artist, .artist, .albumArtist, .title, .album, .date, .genre, .conductor, .disc, .albumID]
        #expect(names("mp3") == frames)
        #expect(names("aac") == [.artist, .artist, .album, .title, .genre, .date, .conductor, .disc, .albumArtist, .albumID])
        #expect(names("flac") == FileTags(facts).tags.map(\.name))
        #expect(FileTags(facts, codec: Array("mp3".utf8)).tags.prefix(2).map(\.value) == ["b", "a"])
    }

    @Test func `values that libavformat has joined are several, and a name with a semicolon is one`() {
        #expect(lines(tags(["ARTIST": "Ada;Ben"])) == ["Artist: Ada", "Artist: Ben"])
        #expect(lines(tags(["ARTIST": "Ada; Ben"])) == ["Artist: Ada; Ben"])
        #expect(lines(tags(["ARTIST": "Ada;"])) == ["Artist: Ada;"])
    }

    @Test(arguments: [("07", "7"), ("3/12", "3"), ("00", "0"), ("A1", nil), ("12", "12")])
    func `a number has neither zeros in front nor a count behind it`(text: String, shown: String?) {
        #expect(tags(["track": text]).tags.map(\.value) == [shown].compactMap { $0 })
    }

    @Test func `a date is the text of the tag, and the year of another tag counts only without one`() {
        #expect(lines(tags(["DATE": "1994-05-02", "YEAR": "1994"])) == ["Date: 1994-05-02"])
        #expect(lines(tags(["YEAR": "1994"])) == ["Date: 1994"])
    }

    @Test func `a tag of the file counts before that of its sound, and what has no common name is kept apart`() {
        let found = tags([
            "artist": "First", "ARTIST": "Second", "comment": "made at home", "lyrics-eng": "la la", "cuesheet": "FILE", "ENCODER": "x",
            "title": "\u{7} ",
        ])
        #expect(lines(found) == ["Artist: First"])
        #expect(found.others == [.init("comment", "made at home"), .init("ENCODER", "x")])
    }

    @Test func `all values together are bounded`() {
        let many = FileTags((0..<500).map { FileFacts.Tag(name: Array("x\($0)".utf8), value: [UInt8](repeating: 0x61, count: 100)) })
        #expect(many.others.count == 40)
        let long = FileTags([FileFacts.Tag(name: Array("artist".utf8), value: Array(String(repeating: "a;b", count: 1_300).utf8))])
        #expect(long.tags.count == 64)
    }
}
