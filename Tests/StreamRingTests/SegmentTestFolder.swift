/// A folder for the past of a station that goes with the test, and a clock that the test sets.
import BatonCore
import BatonSeams
import Glibc
import Synchronization

@testable import Stores

final class SegmentTestFolder: Sendable {
    let folder: String
    let nowMs = Mutex<Milliseconds>(1_760_000_000_000)
    let said = Mutex<[String]>([])

    init() {
        var random = SystemRandomNumberGenerator()
        folder = "/tmp/baton-past-\(random.next())"
        mkdir(folder, 0o700)
    }

    deinit {
        for file in segments() { unlink(file) }
        rmdir("\(folder)/one")
        rmdir(folder)
    }

    func past(minutes: Int = 60, segmentBytes: Int64 = 2 << 20) -> DiskPast {
        DiskPast(
            "\(folder)/one", keepMinutes: minutes, segmentBytes: segmentBytes, nowMs: { self.nowMs.withLock { $0 } },
            Log(threshold: .trace) { _, sentence in self.said.withLock { $0.append(sentence) } })
    }

    func segments() -> [String] {
        let folder = SegmentFolder("\(folder)/one")
        return folder.segments().map { folder.path(of: $0) }
    }

    func pass(_ seconds: Int) { nowMs.withLock { $0 += Milliseconds.seconds(seconds) } }
}

extension SegmentTestFolder {
    static func sound(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

    /// Sound of as many seconds, 1000 bytes each, with a title every ten, as a ring would hand it over.
    @discardableResult
    func receive(_ seconds: Range<Int>, into past: DiskPast) -> Int64 {
        let first = past.firstPlace()
        past.open(before: first)
        var writing = SegmentWriter()
        for second in seconds {
            let from = (second - seconds.lowerBound) * 1000
            let titles = second % 10 == 0 ? [StreamPiece.Title(at: 0, "Song \(second / 10)")] : []
            past.append(StreamPiece(Self.sound(second * 1000..<second * 1000 + 1000), titles: titles), at: first + Int64(from))
            past.flush(&writing)
            pass(1)
        }
        return first
    }

    func all(_ past: DiskPast) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var place = past.positions.lowerBound
        while true {
            let next = try past.bytes(at: place, count: 700)
            if next.bytes.isEmpty { return bytes }
            bytes += next.bytes
            place = next.at + Int64(next.bytes.count)
        }
    }
}
