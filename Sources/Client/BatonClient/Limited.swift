/// Runs `body`, and gives up with a sentence when it takes longer than the limit.
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
        return try await group.next()!  // Two children were added, so there is a first one to finish.
    }
}
