/// The ring between the connection to a station and those who hear it.
import BatonCore
import BatonSeams
import Testing

@testable import Stores

@Suite struct MemoryRingTests {
    private static func sound(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a reader hears each byte once and in order, and each title where it begins`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let ring = MemoryRing(mostBytes: 4096, headStart: 256)
        let reader = try #require(ring.join())
        var (written, read): (Int, Int64) = (0, 0)
        var titles: [(at: Int64, text: String)] = []
        for number in 0..<100 {
            let count = Int.random(in: 0...300, using: &random)
            let at = Int.random(in: 0...count, using: &random)
            let text = "\(number % 7 / 2)"
            ring.append(StreamPiece(Self.sound(written..<written + count), titles: [.init(at: at, text)]))
            if titles.last?.text != text { titles.append((Int64(written + at), text)) }
            written += count
            while Int64(written) - read > 1000 || (read < written && Bool.random(using: &random)) {
                let piece = try await reader.read(at: read, count: Int.random(in: 1...500, using: &random))
                #expect(piece == Self.sound(Int(read)..<Int(read) + piece.count) && !piece.isEmpty, "seed \(seed)")
                #expect(reader.title(at: read) == titles.last { $0.at <= read }?.text, "seed \(seed)")
                #expect(!titles.contains { $0.at > read && $0.at < read + Int64(piece.count) }, "A read passed a title, seed \(seed)")
                read += Int64(piece.count)
            }
        }
    }

    @Test func `a reader that comes later begins with the last sound, behind what a decoder needs`() async throws {
        let ring = MemoryRing(mostBytes: 400_000, headStart: 50_000)
        let first = try #require(ring.join())
        for start in stride(from: 0, to: 100_000, by: 10_000) {
            ring.append(StreamPiece(Self.sound(start..<start + 10_000), entries: [.init(at: 5, head: [1, 2, 3])]))
        }
        let second = try #require(ring.join())

        #expect(try await first.read(at: 0, count: 4) == Self.sound(0..<4))
        #expect(try await second.read(at: 0, count: 9) == [1, 2, 3])
        // An entry in each piece that is not closer than 16 KiB to the one before: 5, 20,005, 40,005, 60,005.
        #expect(try await second.read(at: 3, count: 4) == Self.sound(60_005..<60_009))
    }

    @Test func `a reader waits for sound, and a cancelled one does not`() async throws {
        let ring = MemoryRing()
        let reader = try #require(ring.join())
        async let later = reader.read(at: 0, count: 10)
        ring.append(StreamPiece([7]))
        #expect(try await later == [7])

        let waiting = Task { try await reader.read(at: 1, count: 10) }
        waiting.cancel()
        let fault = await #expect(throws: SourceFault.self) { try await waiting.value }
        #expect(fault?.code == .cancelled)
        ring.append(StreamPiece([8]))
        #expect(try await reader.read(at: 1, count: 10) == [8])
    }

    @Test func `a reader that was kept waiting for too long goes on with what there is`() async throws {
        let ring = MemoryRing(mostBytes: 1000)
        let reader = try #require(ring.join())
        #expect(ring.join() != nil)
        for start in stride(from: 0, to: 10_000, by: 100) { ring.append(StreamPiece(Self.sound(start..<start + 100))) }
        #expect(try await reader.read(at: 0, count: 50) == Self.sound(9000..<9050))
        #expect(try await reader.read(at: 50, count: 50) == Self.sound(9050..<9100))
    }

    @Test func `more is wanted until the reader that is furthest has enough, and not at all without readers`() async throws {
        let ring = MemoryRing(mostBytes: 1000)
        var readers = [try #require(ring.join()), try #require(ring.join())]
        #expect(await ring.untilWanted())
        ring.append(StreamPiece(Self.sound(0..<900)))
        async let wanted = ring.untilWanted()
        _ = try await readers[0].read(at: 0, count: 500)
        #expect(await wanted)

        readers = []
        #expect(await !ring.untilWanted())
        #expect(ring.join() == nil)
    }

    @Test func `what ends is read to its end, and then the reason is said`() async throws {
        let ring = MemoryRing()
        let reader = try #require(ring.join())
        ring.append(StreamPiece([1, 2]))
        ring.end(SourceFault(.unavailable, "It is gone."))
        #expect(try await reader.read(at: 0, count: 10) == [1, 2])
        let fault = await #expect(throws: SourceFault.self) { try await reader.read(at: 2, count: 10) }
        #expect(fault?.sentence == "It is gone.")
        #expect(ring.join() == nil)
    }
}
