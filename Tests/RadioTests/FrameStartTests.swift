/// Where a decoder begins with a station: at the beginning of a frame.
import BatonCore
import BatonSeams
import Testing

@testable import BatonRadio

@Suite struct FrameStartTests {
    /// A frame of MPEG 1, layer 3, with 128 kbit/s at 44,100 Hz. Its sound is one byte, so no header stands in it by chance.
    private static func mpeg(_ padding: UInt8) -> [UInt8] {
        [0xFF, 0xFB, 0x90 | padding << 1, 0x40] + Array(repeating: 7, count: 413 + Int(padding))
    }

    private static func adts(_ length: Int) -> [UInt8] {
        let last: [UInt8] = [UInt8(0x40 | length >> 11), UInt8(length >> 3 & 255), UInt8(length & 7) << 5 | 0x1F, 0xFC]
        return [0xFF, 0xF1, 0x50] + last + Array(repeating: 7, count: length - 7)
    }

    @Test(arguments: 0..<40) func `each place is that of a frame, however the bytes come`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let isMpeg = seed % 2 == 0
        let before = Int.random(in: 0...400, using: &random)
        var stream = [UInt8](repeating: 7, count: before)
        var places: Set<Int> = []
        for _ in 0..<60 {
            places.insert(stream.count)
            stream += isMpeg ? Self.mpeg(UInt8.random(in: 0...1, using: &random)) : Self.adts(Int.random(in: 20...900, using: &random))
        }

        var starts = try #require(FrameStarts(isMpeg ? .mpeg : .adts))
        var found: [Int] = []
        var at = 0
        while at < stream.count {
            let count = seed < 4 ? stream.count : Int.random(in: 1...3000, using: &random)
            if let start = starts.take(Array(stream[at..<min(at + count, stream.count)])) { found.append(at + start) }
            at += count
        }

        #expect(places.isSuperset(of: found))
        #expect(seed >= 4 || found == [before])
        #expect(seed < 4 || found.count > 2)
    }

    @Test func `a frame behind a break in the stream is found again`() throws {
        var starts = try #require(FrameStarts(.mpeg))
        let frames = Self.mpeg(0) + Self.mpeg(1) + Self.mpeg(0)
        #expect(starts.take(frames + [1, 2, 3]) == 0)
        #expect(starts.take([4, 5, 0xFF] + frames) == 3)
    }

    @Test func `other forms have no frames to look for`() {
        #expect(FrameStarts(.ogg) == nil && FrameStarts(.bytes) == nil)
    }

    /// The server begins 100 bytes before a frame, in pieces that are shorter than one, and names a title within the first.
    @Test func `a station is heard from the first whole frame on, and what joins it later begins at a frame too`() async throws {
        let stations = try Stations()
        let heard = try await stations.listen("frames")
        let sound = try await heard.content.bytes(0, 40_000)
        #expect(sound.prefix(4) == [0xFF, 0xFB, 0x90, 0x40])
        #expect(sound.enumerated().allSatisfy { $0.element == ($0.offset % 417 < 4 ? [0xFF, 0xFB, 0x90, 0x40][$0.offset % 417] : 7) })
        #expect((heard.content as? any TitledBytes)?.title(at: 1_000) == "Anna - First")

        let second = try await stations.listen("frames")
        #expect(try await second.content.bytes(0, 4) == [0xFF, 0xFB, 0x90, 0x40])
        #expect(try await stations.seen().count == 1)
    }
}
