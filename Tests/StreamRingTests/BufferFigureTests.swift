/// What a station at 128 kbit/s takes on disk and in memory, and that one is back ten minutes: of 15 minutes, with BATON_SLOW=1 of two hours.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Stores

@Suite struct BufferFigureTests {
    private static let isSlow = ProcessInfo.processInfo.environment["BATON_SLOW"].map { !$0.isEmpty && $0 != "0" } ?? false
    private static let seconds = isSlow ? 7200 : 900
    private static let halfSecond = 8000

    /// Anonymous memory of this process, in bytes.
    private static func memory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }

    @Test func `hours at 128 kbit per second fit on disk and in memory, and one is back ten minutes`() async throws {
        let place = SegmentTestFolder()
        let ring = MemoryRing(past: place.past(minutes: 120))
        let listener = try #require(ring.join())
        let disk = try #require(ring.disk)
        var writing = SegmentWriter()
        disk.open(before: ring.begin)
        disk.setReceiving(true)
        let before = Self.memory()
        for half in 0..<2 * Self.seconds {
            let titles = half % 400 == 0 ? [StreamPiece.Title(at: 0, "Artist \(half) - Title \(half)")] : []
            ring.append(StreamPiece([UInt8](repeating: UInt8(truncatingIfNeeded: half), count: Self.halfSecond), titles: titles))
            disk.flush(&writing)
            place.nowMs.withLock { $0 += 500 }
        }
        let memory = Self.memory() - before
        let bytes = place.segments().reduce(0) { $0 + ((try? FileManager.default.attributesOfItem(atPath: $1)[.size] as? Int) ?? 0) }
        let start = ContinuousClock.now
        let reader = try #require(await listener.begin(at: .received(atMs: place.nowMs.withLock { $0 } - 600_000)))
        let first = try await reader.read(at: 0, count: 64 * 1024)
        let took = ContinuousClock.now - start
        print("\(Self.seconds) s: \(bytes) bytes on disk, \(memory) bytes of memory; back 10 min: first bytes after \(took)")
        #expect(first.first == UInt8(truncatingIfNeeded: 2 * (Self.seconds - 600)))
        #expect(bytes <= (115 << 20) * Self.seconds / 7200)
        // Other tests of this process take memory too, so it is looked at where this one runs for long.
        if Self.isSlow { #expect(memory <= 4 << 20) }
        let again = place.past(minutes: 120)
        let opening = ContinuousClock.now
        again.openToRead()
        print("\(Self.seconds) s: read again after \(ContinuousClock.now - opening)")
        #expect(again.pastTitles().count == (2 * Self.seconds + 399) / 400)
    }
}
