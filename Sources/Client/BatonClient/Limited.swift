/// Runs `body`, and throws the sentence if it exceeds the time limit.
package func limited<Result: Sendable>(
    to limit: Duration, sentence: String, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw ConnectFault(.timedOut, sentence)
        }
        defer { group.cancelAll() }
        return try await group.next()!  // The group has two children, so there is a first result.
    }
}
