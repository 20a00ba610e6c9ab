/// A folder for each test, and a clock that a test moves.
package import BatonCore
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

    package init(_ ms: Milliseconds) { self.ms = Atomic(ms.count) }

    package func pass(ms: Milliseconds) { self.ms.wrappingAdd(ms.count, ordering: .relaxed) }
    package var clock: Clock { Clock(nowUs: { Microseconds(self.read()) }, wallUs: { Clock.system.wallUs }) }
    package var read: @Sendable () -> Milliseconds { { Milliseconds(count: self.ms.load(ordering: .relaxed)) } }
}
