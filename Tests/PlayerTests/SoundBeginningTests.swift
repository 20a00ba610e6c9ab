/// What the first bytes of a file say of it.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

@Suite struct SoundBeginningTests {
    private static func head(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [
        "FILE \"a.wav\" WAVE", "#EXTM3U\nhttp://x", "[playlist]\n", "ffconcat version 1.0", "<?xml version=", "mpv EDL v0\n", "fLaC", "",
    ])
    func `what is text or too short is no sound`(_ text: String) {
        #expect(!SoundMark.isSound(Self.head(text)))
    }

    @Test func `linked Matroska files are no sound`() {
        #expect(!SoundMark.isSound([0x1A, 0x45, 0xDF, 0xA3] + Array(repeating: 0, count: 60)))
    }

    @Test(arguments: ["fLaC", "OggS", "RIFF", "FORM", "ID3\u{3}"]) func `files of music are known by their marks`(_ mark: String) {
        #expect(SoundMark.isSound(Self.head(mark) + Array(repeating: 0, count: 20)))
    }

    /// What libavformat gives as the start of these files.
    @Test(arguments: [("mp3", 25_057), ("flac", 0), ("ogg", 0), ("wav", 0)]) func `the first time stamp is libavformat's`(
        _ kind: String, _ us: Microseconds
    ) async throws {
        let studio = try Studio()
        #expect(await SoundBeginning.us(of: .file(try PlayingTests.Handovers.tone(studio, "tone.\(kind)", hertz: 440, seconds: 0.5))) == us)
    }

    @Test func `an Ogg file that was cut out of a stream does not begin at zero`() {
        func page(_ samples: UInt64) -> [UInt8] {
            Self.head("OggS") + [0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: samples >> ($0 * 8)) } + Array(repeating: 0, count: 12) + [
                1, 2, 9, 9,
            ]
        }
        #expect(OggBeginning.isZero(page(0) + page(.max) + page(48_000)))
        #expect(!OggBeginning.isZero(page(0) + page(480_000_000)))
        #expect(!OggBeginning.isZero(page(0)))
    }
}
