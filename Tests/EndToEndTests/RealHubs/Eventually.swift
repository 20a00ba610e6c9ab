import Testing

/// Waits for a condition, with a limit; never for a while.
func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60), _ holds: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !holds() {
        guard ContinuousClock.now < deadline else { throw TooLate(sentence: "Not within \(limit): \(what()).") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

struct TooLate: Error, CustomStringConvertible {
    let sentence: String
    var description: String { sentence }
}
