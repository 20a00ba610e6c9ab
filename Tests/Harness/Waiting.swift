/// Waits of tests for what happens elsewhere: on a condition, never for a while.

package struct TooLong: Error, CustomStringConvertible {
    package let description = "A condition did not come true within two minutes."
}

/// Looks every 10 ms; two minutes is more than a healthy machine needs, however busy it is.
package func until(_ isSo: () async throws -> Bool) async throws {
    for _ in 0..<12_000 {
        if try await isSo() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw TooLong()
}
