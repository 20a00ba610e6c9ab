/// Files of a station's past that were cut, zeroed or changed: what is whole of them is read, and nothing else.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Stores

@Suite struct DamagedPastTests {
    /// One change of a file, at a place and of a length that the seed chose.
    private func damage(_ segment: String, _ random: inout SeededGenerator) throws {
        let size = try #require(try? FileManager.default.attributesOfItem(atPath: segment)[.size] as? Int)
        let from = Int.random(in: 0..<size, using: &random)
        let count = min(size - from, [1, 40, 700, 3000].randomElement(using: &random) ?? 1)
        let isCut = Int.random(in: 0...3, using: &random) == 0
        let file = try #require(FileHandle(forUpdatingAtPath: segment))
        if isCut { try file.truncate(atOffset: UInt64(from)) }
        let bytes = (0..<(isCut ? 0 : count)).map { _ in Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random) }
        try file.seek(toOffset: UInt64(min(from, size)))
        try file.write(contentsOf: bytes)
        try file.close()
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `whatever of the files is damaged, only sound that was received is read, and a sentence says so`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed)
        let place = SegmentTestFolder()
        let first = place.receive(0..<60, into: place.past(segmentBytes: 9000))
        for _ in 0...Int.random(in: 0...3, using: &random) {
            try damage(try #require(place.segments().randomElement(using: &random)), &random)
        }
        let past = place.past(segmentBytes: 9000)
        // As a hub that plays the station, or one that is only asked for its titles.
        if seed % 2 == 0 { past.open(before: past.firstPlace()) } else { past.openToRead() }
        let count = [300, 700, 5000][Int(seed % 3)]
        for _ in 0..<2 {
            var from = past.positions.lowerBound
            while true {
                let next = try past.bytes(at: from, count: count)
                if next.bytes.isEmpty { break }
                let at = Int(next.at - first)
                #expect(next.at >= from && next.bytes == SegmentTestFolder.sound(at..<at + next.bytes.count), "seed \(seed), at \(at)")
                from = next.at + Int64(next.bytes.count)
            }
        }
        let read = try place.all(past)
        #expect(read.count % 1000 == 0 && past.titles().allSatisfy { (0..<6).map { "Song \($0)" }.contains($0.text) }, "seed \(seed)")
        // Whatever is missing is a gap, apart from a beginning and an end that are not there.
        let inner = past.positions.upperBound - past.positions.lowerBound - Int64(read.count)
        #expect(past.gaps().isEmpty == (inner == 0), "seed \(seed)")
        #expect(seed % 2 == 1 || read.count == 60_000 || place.said.withLock { $0.contains { $0.contains("is damaged") } }, "seed \(seed)")
    }

    @Test func `damage in the middle of a segment costs one piece, which is a gap, and is told once`() throws {
        let place = SegmentTestFolder()
        let first = place.receive(0..<60, into: place.past())
        let segment = try #require(place.segments().first)
        var bytes = try #require(FileManager.default.contents(atPath: segment))
        for second in [20, 41] {
            let found = try #require(
                bytes[(second * 1000)...].firstRange(of: SegmentTestFolder.sound(second * 1000..<second * 1000 + 1000)))
            bytes[found.lowerBound + 500] ^= 1
        }
        try bytes.write(to: URL(fileURLWithPath: segment))
        let past = place.past()
        past.openToRead()

        let whole = [0..<20_000, 21_000..<41_000, 42_000..<60_000]
        #expect(try place.all(past) == whole.flatMap(SegmentTestFolder.sound))
        #expect(past.gaps().map(\.at) == [first + 21_000, first + 42_000])
        #expect(try past.bytes(at: first + 20_300, count: 10).at == first + 21_000)
        #expect(place.said.withLock { $0.count } == 1)
    }

    /// What this thread has read from files.
    private static func readByThread() -> Int? {
        let said = try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        return said?.split(separator: "\n").first { $0.hasPrefix("rchar:") }.flatMap { Int($0.dropFirst(7)) }
    }

    @Test(.enabled(if: readByThread() != nil)) func `opening reads what was said of the sound, and not the sound`() throws {
        let place = SegmentTestFolder()
        let written = place.past(segmentBytes: 50_000)
        let first = written.firstPlace()
        written.open(before: first)
        var writing = SegmentWriter()
        for second in 0..<60 {
            let piece = StreamPiece([UInt8](repeating: UInt8(second), count: 8000), titles: [StreamPiece.Title(at: 0, "Song \(second)")])
            written.append(piece, at: first + Int64(second) * 8000)
            written.flush(&writing)
            place.pass(1)
        }
        let before = try #require(Self.readByThread())
        let past = place.past()
        past.openToRead()
        let read = try #require(Self.readByThread()) - before

        #expect(past.pastTitles().count == 60 && past.positions.upperBound - past.positions.lowerBound == 480_000)
        // The last piece of each segment is read.
        #expect(read < 480_000 / 4, "\(read) bytes")
    }
}
