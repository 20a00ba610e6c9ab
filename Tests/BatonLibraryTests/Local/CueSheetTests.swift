/// Cue sheets as programs and people write them, and as nobody should.
import BatonCore
import BatonSeams
import Testing

@testable import BatonLibrary

struct CueSheetTests {
    private static let disc = """
        REM GENRE "Alternative Rock"
        REM DATE 1997
        REM DISCID 990A4F0C
        REM REPLAYGAIN_ALBUM_GAIN -8.41 dB
        REM REPLAYGAIN_ALBUM_PEAK 0.988
        PERFORMER "Radiohead"
        TITLE "OK Computer"
        FILE "OK Computer.wav" WAVE
          TRACK 01 AUDIO
            TITLE "Airbag"
            PERFORMER "Radiohead"
            REM REPLAYGAIN_TRACK_GAIN +0.50 dB
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Paranoid Android"
            SONGWRITER "Thom Yorke"
            INDEX 00 04:43:50
            INDEX 01 04:44:25
          TRACK 03 AUDIO
            INDEX 01 11:07:74
        """

    private var whole: TrackFacts {
        var facts = TrackFacts()
        facts.tags = Tags(title: "OK Computer", artists: ["R."], durationMs: 900_000)
        facts.tags.album = "From the tag"
        facts.sortTitle = "ok"
        return facts
    }

    @Test func `a sheet makes one track of each of its own`() throws {
        let file = try #require(CueSheet(text: Self.disc).file(named: "ok computer.FLAC"))

        let tracks = file.parts(of: whole)

        #expect(tracks.map(\.tags.title) == ["Airbag", "Paranoid Android", "Track 3"])
        #expect(tracks.map(\.tags.track) == [1, 2, 3])
        #expect(tracks.map(\.startMs) == [0, 284_333, 667_986])
        #expect(tracks.map(\.endMs) == [284_333, 667_986, nil])
        #expect(tracks.map(\.tags.durationMs) == [284_333, 383_653, 232_014])
        #expect(tracks.allSatisfy { $0.tags.album == "OK Computer" && $0.tags.albumArtist == "Radiohead" && $0.tags.year == 1997 })
        #expect(tracks.allSatisfy { $0.tags.artists == ["Radiohead"] && $0.genres == ["Alternative Rock"] && $0.sortTitle.isEmpty })
        #expect(tracks[0].gain == ReplayGain(track: 50, album: -841, albumPeak: 988_000))
        #expect(tracks[1].composers == ["Thom Yorke"] && tracks[2].composers.isEmpty)
    }

    @Test(arguments: ["OK Computer.wav", "ok computer.flac", "OK COMPUTER.ape"])
    func `a file is known by its name, whatever it was compressed to`(name: String) {
        #expect(CueSheet(text: Self.disc).file(named: name) != nil)
    }

    @Test func `another file's sheet is not ours`() {
        #expect(CueSheet(text: Self.disc).file(named: "Kid A.flac") == nil)
    }

    @Test func `a track whose pause is in the file before belongs to the file in which it begins`() {
        let text = """
            FILE "C:\\Rips\\01.wav" WAVE
            TRACK 01 AUDIO
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            INDEX 00 03:00:00
            FILE "02.wav" WAVE
            INDEX 01 00:00:00
            """
        let sheet = CueSheet(text: text)

        #expect(sheet.files.map(\.name) == ["01.wav", "02.wav"])
        #expect(sheet.files.map { $0.tracks.map(\.number) } == [[1], [2]])
        #expect(sheet.files.allSatisfy { $0.parts(of: whole).isEmpty }, "A file that is one track is no sheet's business.")
    }

    @Test(arguments: [
        "", "FILE", "FILE \"", "TRACK 01 AUDIO\nINDEX 01 00:00:00", "FILE a WAVE\nINDEX 01 00:00:00",
        "FILE a WAVE\nTRACK x AUDIO\nINDEX 01 0",
        "FILE a WAVE\nTRACK 1 MODE1/2352\nINDEX 01 00:00:00\nTRACK 2 AUDIO\nINDEX 01 00:61:00", "REM", "TITLE", "\"\"\"\"",
        "REM DATE \nREM GENRE",
        "FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 99999999999999999999:00:00",
        "FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 05:00:00\nTRACK 02 AUDIO\nINDEX 01 04:00:00",
        "FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 99:00:00",
    ])
    func `what makes no sense makes no tracks`(text: String) {
        for file in CueSheet(text: text).files { #expect(file.parts(of: whole).isEmpty) }
    }

    @Test func `a sheet without end has an end`() {
        let tracks = (0..<100_000).map { "TRACK 01 AUDIO\nINDEX 01 \($0 / 60):\($0 % 60):00\n" }.joined()

        let sheet = CueSheet(text: "FILE a WAVE\n" + tracks)

        #expect(sheet.files.first?.tracks.count == CueSheet.mostTracks)
    }

    private static let encodings: [[UInt8]] = [
        Array("Bj\u{F6}rk".unicodeScalars.map { UInt8($0.value) }), Array("Björk".utf8), [0xEF, 0xBB, 0xBF] + Array("Björk".utf8),
        [0xFF, 0xFE] + "Björk".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
        [0xFE, 0xFF] + "Björk".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
        "Björk".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
        "Björk".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
    ]

    @Test(arguments: encodings) func `text is read in each encoding that people have`(bytes: [UInt8]) {
        #expect(TextFile.text(bytes) == "Björk")
    }

    @Test func `a dash that Windows wrote is a dash`() {
        #expect(TextFile.text([0x41, 0x96, 0x42, 0xE9]) == "A–Bé")
    }
}
