import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Media

/// What is read of real files.
@Suite struct FactsTests {
    private static let tags = [
        "title": "A Title", "artist": "An Artist", "album": "An Album", "album_artist": "Somebody Else", "track": "3/12", "disc": "2/2",
        "date": "1999-04-12", "genre": "Jazz", "composer": "A Composer",
    ]

    struct Kind: CustomTestStringConvertible {
        var name: String
        var codec: String
        var bits: Int?
        var options: [String]
        var testDescription: String { name }
    }

    static let kinds = [
        Kind(name: "a.flac", codec: "flac", bits: 16, options: []),
        Kind(name: "three.mp3", codec: "mp3", options: ["-id3v2_version", "3"]),
        Kind(name: "four.mp3", codec: "mp3", options: ["-id3v2_version", "4"]),
        Kind(name: "b.m4a", codec: "aac", options: []),
        Kind(name: "c.m4a", codec: "alac", bits: 16, options: ["-c:a", "alac"]),
        Kind(name: "d.opus", codec: "opus", options: ["-ar", "48000"]),
        Kind(name: "e.ogg", codec: "vorbis", options: ["-c:a", "libvorbis"]),
        Kind(name: "f.wv", codec: "wavpack", bits: 16, options: []),
        Kind(name: "g.mka", codec: "flac", bits: 16, options: ["-c:a", "flac"]),
    ]

    @Test(arguments: kinds) func `tags and format of each kind of file`(kind: Kind) async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone(kind.name, Self.tags, kind.options)

            let track = try Readers.read(path).get().track

            #expect(track.tags.title == "A Title")
            #expect(track.tags.artists == ["An Artist"])
            #expect(track.tags.album == "An Album")
            #expect(track.tags.albumArtist == "Somebody Else")
            #expect(track.tags.track == 3)
            #expect(track.tags.disc == 2)
            #expect(track.tags.year == 1999)
            #expect(track.genres == ["Jazz"])
            #expect(track.composers == ["A Composer"])
            #expect(track.format?.codec == kind.codec)
            #expect(track.format?.rate == (kind.codec == "opus" ? 48_000 : 44_100))
            #expect(track.format?.channels == 1)
            #expect(track.format?.bits == kind.bits)
            let duration = try #require(track.tags.durationMs)
            #expect((990...1_100).contains(duration), "\(duration) ms")
        }
    }

    @Test func `sound without any tags has a duration and no title`() async throws {
        try await MediaFolder.with { folder in
            for name in ["a.wav", "b.aiff", "c.mp3", "d.aac"] {
                let options = name == "c.mp3" ? ["-id3v2_version", "0", "-write_xing", "0"] : []
                let track = try Readers.read(try folder.tone(name, seconds: 2, ["-map_metadata", "-1"] + options)).get().track

                #expect(track.tags.title.isEmpty)
                #expect(track.tags.artists.isEmpty)
                #expect(((track.tags.durationMs ?? 0) - 2_000).magnitude < 100, "\(name): \(track.tags.durationMs ?? 0) ms")
                #expect(track.format != nil)
            }
        }
    }

    @Test func `a label is read by each of its names`() async throws {
        try await MediaFolder.with { folder in
            let named: [(String, [String: String], [String])] = [
                ("a.flac", ["LABEL": "Blue Door; Attic", "PUBLISHER": "Quay Music"], ["Blue Door", "Attic"]),
                ("b.ogg", ["ORGANIZATION": "Blue Door"], ["Blue Door"]), ("c.mp3", ["publisher": "Quay Music"], ["Quay Music"]),
                ("d.flac", ["TITLE": "One"], []),
            ]
            for (name, tags, labels) in named {
                let path = try folder.tone(name, tags)
                #expect(try Readers.read(path).get().track.labels == labels, "\(name)")
            }
        }
    }

    @Test func `several artists are several, whatever wrote them`() async throws {
        try await MediaFolder.with { folder in
            let flac = try folder.tone("a.flac", ["ARTIST": "One;Two", "GENRE": "Folk / Pop", "COMPOSER": "A;  B ;;A"])
            let credit = try folder.tone("b.flac", ["ARTIST": "One feat. AC/DC", "ARTISTS": "One;AC/DC"])
            let sound = try folder.tone("c.mp3", ["title": ""], ["-id3v2_version", "0"])
            let nul = ID3(frames: [
                ("TPE1", [3] + Array("One\0Two\0Three".utf8)), ("TXXX", [3] + Array("ARTISTS\0Earth, Wind & Fire\0Two".utf8)),
            ])
            let only = ID3(frames: [("TPE1", [3] + Array("One\0Two\0Three".utf8))])
            let mp3 = try folder.file("d.mp3", nul.bytes + folder.bytes("c.mp3"))
            let lone = try folder.file("e.mp3", only.bytes + folder.bytes("c.mp3"))
            _ = sound

            #expect(try Readers.read(flac).get().track.tags.artists == ["One", "Two"])
            #expect(try Readers.read(flac).get().track.genres == ["Folk", "Pop"])
            #expect(try Readers.read(flac).get().track.composers == ["A", "B"])
            #expect(try Readers.read(credit).get().track.tags.artists == ["One", "AC/DC"])
            #expect(try Readers.read(mp3).get().track.tags.artists == ["Earth, Wind & Fire", "Two"])
            #expect(try Readers.read(lone).get().track.tags.artists == ["One", "Two", "Three"])
        }
    }

    @Test func `names to sort by, compilations and loudness`() async throws {
        try await MediaFolder.with { folder in
            let tags = [
                "ALBUMARTISTSORT": "Else, Somebody", "ARTISTSORT": "Artist, An", "ALBUMSORT": "Album, An", "TITLESORT": "Title, A",
                "COMPILATION": "1", "REPLAYGAIN_TRACK_GAIN": "-7.03 dB", "REPLAYGAIN_ALBUM_GAIN": "+1,5 dB",
                "REPLAYGAIN_TRACK_PEAK": "0.988553",
            ]
            let flac = try Readers.read(try folder.tone("a.flac", tags)).get().track
            let mp3 = try Readers.read(try folder.tone("a.mp3", tags)).get().track
            let opus = try Readers.read(try folder.tone("a.opus", ["R128_TRACK_GAIN": "-512"], ["-ar", "48000"])).get().track

            #expect(flac.sortAlbumArtist == "Else, Somebody")
            #expect(flac.sortArtist == "Artist, An")
            #expect(flac.sortAlbum == "Album, An")
            #expect(flac.sortTitle == "Title, A")
            #expect(flac.isCompilation)
            #expect(flac.gain == ReplayGain(track: -703, album: 150, trackPeak: 988_553))
            #expect(mp3.gain == flac.gain)
            // Two decibels quieter than -23, which is three louder than the usual -18.
            #expect(opus.gain == ReplayGain(track: 300))
        }
    }

    @Test func `chapters of a book`() async throws {
        try await MediaFolder.with { folder in
            let list = try folder.file(
                "list",
                Array(
                    """
                    ;FFMETADATA1
                    [CHAPTER]
                    TIMEBASE=1/1000
                    START=0
                    END=1000
                    title=Before
                    [CHAPTER]
                    TIMEBASE=1/1000
                    START=1000
                    END=2000

                    """.utf8))
            let words = ["-f", "lavfi", "-i", "sine=duration=2", "-i", list, "-map_metadata", "1", "-map", "0:a"]
            let book = try folder.ffmpeg(words + ["-f", "mp4"], "book.m4b")

            let track = try Readers.read(book).get().track

            #expect(track.chapters.map(\.startMs) == [0, 1_000])
            #expect(track.chapters.map(\.endMs) == [1_000, 2_000])
            #expect(track.chapters.map(\.title) == ["Before", "Chapter 2"])
        }
    }

    @Test func `lyrics and a cue sheet inside the file`() async throws {
        try await MediaFolder.with { folder in
            let sheet = "FILE \"a.flac\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n"
            let timed = try folder.tone("a.flac", ["LYRICS": "[ti:x]\n[00:01.50]Second\n[00:00.50][00:02.00]Chorus", "CUESHEET": sheet])
            let uslt = [3] + Array("eng".utf8) + [0] + Array("One\nTwo".utf8)
            try folder.tone("c.mp3", [:], ["-id3v2_version", "0"])
            let plain = try folder.file("d.mp3", ID3(frames: [("USLT", uslt)]).bytes + folder.bytes("c.mp3"))

            let facts = try Readers.read(timed).get()
            #expect(facts.cueSheet == sheet)
            #expect(facts.lyrics?.lines.map(\.atMs) == [500, 1_500, 2_000])
            #expect(facts.lyrics?.lines.map(\.text) == ["Chorus", "Second", "Chorus"])
            #expect(try Readers.read(plain).get().lyrics?.lines.map(\.text) == ["One", "Two"])
        }
    }

    @Test(arguments: ["a.flac", "b.mp3", "c.m4a"]) func `a cover inside the file has a name and a size`(name: String) async throws {
        try await MediaFolder.with { folder in
            let cover = try folder.drawing("cover.jpg", 300, 200)
            let path = try folder.ffmpeg(
                [
                    "-f", "lavfi", "-i", "sine=duration=1", "-i", cover, "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v",
                    "attached_pic",
                ],
                name)

            let track = try Readers.read(path).get().track

            #expect(track.picture == .embedded(in: path))
            let art = try #require(track.tags.art)
            #expect(art.width == 300)
            #expect(art.height == 200)
            #expect(art.id.count == 16 && art.id.allSatisfy(\.isHexDigit))
            #expect(track.format?.rate == 44_100)
        }
    }

    @Test func `letters of old encodings become letters`() async throws {
        try await MediaFolder.with { folder in
            try folder.tone("c.mp3", [:], ["-id3v2_version", "0", "-write_id3v1", "0"])
            let latin = ID3(version: 3, frames: [("TIT2", [0] + [0x42, 0x6A, 0xF6, 0x72, 0x6B, 0x92, 0x73])])
            let wide = ID3(version: 3, frames: [("TIT2", [1, 0xFF, 0xFE, 0x2F, 0x04, 0x2F, 0x04])])
            var old = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
            old.replaceSubrange(3..<8, with: [0x42, 0x6A, 0xF6, 0x72, 0x6B])
            let sound = try folder.bytes("c.mp3")

            #expect(try Readers.read(folder.file("a.mp3", latin.bytes + sound)).get().track.tags.title == "Björk’s")
            #expect(try Readers.read(folder.file("b.mp3", wide.bytes + sound)).get().track.tags.title == "Яя".uppercased())
            #expect(try Readers.read(folder.file("d.mp3", sound + old)).get().track.tags.title == "Björk")
        }
    }

    @Test func `a name does not change what a file is, and content does`() async throws {
        try await MediaFolder.with { folder in
            let one = try folder.tone("a.flac", seconds: 5)
            let same = try folder.file("renamed.flac", folder.bytes("a.flac"))
            let other = try folder.tone("b.flac", ["title": "x"], seconds: 6)

            let read = try Readers.pool().read([one, same, other]).map { try $0.get().fingerprint }

            #expect(read[0] == read[1])
            #expect(read[0] != read[2])
        }
    }
}
