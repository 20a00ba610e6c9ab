/// A folder for each test, and a clock that a test moves.
package import BatonSeams
import Foundation
import Synchronization

package func withFolder<Result>(in place: String? = nil, _ body: (String) throws -> Result) throws -> Result {
    let path = (place ?? NSTemporaryDirectory()) + "baton-store-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// A folder that is removed with the last reference to it.
package final class TemporaryFolder: Sendable {
    package let path = NSTemporaryDirectory() + "baton-test-\(UUID().uuidString)"

    package init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A kernel's clock that moves when it is told to.
package final class HandClock: Sendable {
    private let ms: Atomic<Int64>

    package init(_ ms: Int64) { self.ms = Atomic(ms) }

    package func pass(ms: Int64) { self.ms.wrappingAdd(ms, ordering: .relaxed) }
    package var clock: Clock { Clock(nowUs: { self.read() * 1_000 }, wallUs: { Clock.system.wallUs }) }
    package var read: @Sendable () -> Int64 { { self.ms.load(ordering: .relaxed) } }
}
