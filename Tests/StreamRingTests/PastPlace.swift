/// A folder for the past of a station that goes with the test, and a clock that the test sets.
import BatonSeams
import Glibc
import Synchronization

@testable import StreamRing

final class PastPlace: Sendable {
    let folder: String
    let nowMs = Mutex<Int64>(1_760_000_000_000)
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
        let folder = PastFolder("\(folder)/one")
        return folder.segments().map { folder.path(of: $0) }
    }

    func pass(_ seconds: Int64) { nowMs.withLock { $0 += seconds * 1000 } }
}
