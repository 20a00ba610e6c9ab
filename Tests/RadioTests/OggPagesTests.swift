/// Chains of Ogg streams: where a decoder may begin, and what they say of their songs.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import BatonRadio

@Suite struct OggPagesTests {
    private static func page(_ flags: UInt8, _ time: UInt8, _ packet: [UInt8], serial: UInt8 = 1) -> [UInt8] {
        let pieces = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        let fixed: [UInt8] = Array("OggS".utf8) + [0, flags, time, 0, 0, 0, 0, 0, 0, 0, serial, 0, 0, 0, 9, 9, 9, 9, 8, 8, 8, 8]
        return fixed + [UInt8(pieces.count)] + pieces + packet
    }

    private static func number(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }

    private static func comments(_ texts: [String]) -> [UInt8] {
        number(3) + Array("abc".utf8) + number(texts.count) + texts.flatMap { number($0.utf8.count) + Array($0.utf8) }
    }

    /// A stream of Opus with these comments and two pages of sound.
    private static func opus(_ texts: [String], serial: UInt8 = 1) -> [UInt8] {
        page(2, 0, Array("OpusHead".utf8) + [1, 2, 0, 0], serial: serial)
            + page(0, 0, Array("OpusTags".utf8) + comments(texts), serial: serial)
            + page(0, 5, [5, 6, 7], serial: serial) + page(4, 9, [8], serial: serial)
    }

    /// All of a stream that came in pieces of this size.
    private static func all(_ stream: [UInt8], by size: Int = 1 << 20) -> StreamPiece {
        var (pages, joined) = (OggPages(), StreamPiece([]))
        for start in stride(from: 0, through: stream.count, by: size) {
            let isLast = start + size > stream.count
            let piece = pages.take(StreamPiece(Array(stream[start..<min(stream.count, start + size)])))
            for piece in isLast ? [piece, pages.end()] : [piece] {
                let at = joined.sound.count
                joined.titles += piece.titles.map { StreamPiece.Title(at: $0.at + at, $0.text) }
                joined.entries += piece.entries.map { StreamPiece.Entry(at: $0.at + at, head: $0.head) }
                joined.sound += piece.sound
            }
        }
        return joined
    }

    @Test(arguments: [1, 3, 30, 1000]) func `a decoder begins at a page, behind the head of its stream`(size: Int) {
        let head = Self.page(2, 0, [1, 2, 3]) + Self.page(0, 0, [4])
        let second = Self.page(2, 0, [9])
        let first = head + Self.page(0, 5, [5, 6]) + Self.page(0, 7, [7])
        let stream = first + second + Self.page(0, 3, [8])

        let found = Self.all(stream, by: size)

        #expect(found.sound == stream && found.titles.isEmpty)
        #expect(found.entries.map(\.at) == [head.count, head.count + 30, stream.count - 29])
        #expect(found.entries.map(\.head) == [head, head, second])
    }

    @Test(arguments: [1, 7, 100, 100_000]) func `each stream of a chain has the title of its comments from its first page on`(size: Int) {
        let first = Self.opus(["TITLE=Eins", "artist=Anna", "ALBUM=x"])
        let second = Self.opus(["title=Zwei\u{7}\n  und mehr"], serial: 2)
        let third = Self.opus(["COMMENT=nothing"], serial: 3)
        let stream = first + second + third

        let found = Self.all(stream, by: size)

        #expect(found.sound == stream)
        #expect(found.titles.map(\.text) == ["Anna - Eins", "Zwei und mehr", ""])
        #expect(found.titles.map(\.at) == [0, first.count, first.count + second.count])
    }

    @Test func `a comment of a gigabyte is passed over, and little of it is held`() {
        /// A page whose packet goes on in the next one.
        func unended(_ flags: UInt8, _ packet: [UInt8]) -> [UInt8] {
            let rest = [UInt8](repeating: 65, count: 255 * 255 - packet.count)
            let head: [UInt8] =
                Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 255, count: 8) + [1, 0, 0, 0, 9, 9, 9, 9, 8, 8, 8, 8, 255]
            return head + [UInt8](repeating: 255, count: 255) + packet + rest
        }
        let comments = Array("\u{3}vorbis".utf8) + Self.number(0) + Self.number(1) + Self.number(1 << 30) + Array("TITLE=".utf8)
        let begin = Self.page(2, 0, Array("\u{1}vorbis".utf8)) + unended(0, comments)
        let more = unended(1, [])
        var pages = OggPages()
        var (sent, given, most, titles) = (0, 0, 0, 0)
        for number in 0..<600 {
            let piece = pages.take(StreamPiece(number == 0 ? begin : more))
            sent += number == 0 ? begin.count : more.count
            given += piece.sound.count
            titles += piece.titles.count
            most = max(most, sent - given)
        }
        #expect(titles == 0 && sent > 30 << 20)
        #expect(most <= OggHead.mostBytes + OggPage.mostBytes)
    }

    @Test func `titles that were sent beside the stream stay where they were`() {
        var pages = OggPages()
        let stream = Self.opus([])
        let cut = stream.count - 20
        let first = pages.take(StreamPiece(Array(stream[..<cut]), titles: [StreamPiece.Title(at: cut - 5, "A")]))
        let second = pages.take(StreamPiece(Array(stream[cut...])))

        #expect(first.titles.isEmpty && first.sound + second.sound == stream)
        #expect(second.titles == [StreamPiece.Title(at: cut - 5 - first.sound.count, "A")])
    }

    /// Streams as real encoders make them.
    @Test(arguments: ["libvorbis", "libopus", "flac", "libspeex"]) func `comments of real encoders are read`(codec: String) throws {
        let folder = try TemporaryFolder()
        let sine = ["-f", "lavfi", "-i", "sine=d=0.3:r=16000", "-c:a", codec, "-metadata", "artist=Jörg", "-metadata", "title=It's"]
        try Fixture.make(["ffmpeg", "-v", "error"] + sine + ["-f", "ogg"], at: "\(folder.path)/titled.ogg")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/titled.ogg")))

        #expect(Self.all(bytes, by: 500).titles == [StreamPiece.Title(at: 0, "Jörg - It's")])
        #expect(Self.all(bytes, by: 500).sound == bytes)
    }
}
