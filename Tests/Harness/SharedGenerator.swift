import BatonCore
import Synchronization

/// A generator that any thread may ask.
package final class SharedGenerator: Sendable {
    private let state: Mutex<SeededGenerator>

    package init(_ seed: UInt64) { state = Mutex(SeededGenerator(seed)) }

    package func next() -> UInt64 { state.withLock { $0.next() } }
}
