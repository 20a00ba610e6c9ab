package import BatonSeams
import Synchronization
import Threads

/// The loop of a process that uses its main thread for other work.
private enum BackgroundLoop {
    private static let loop = Task<Result<EventLoop, SocketsError>, Never>.detached {
        await withCheckedContinuation { continuation in
            OwnThread.start {
                do throws(SocketsError) {
                    _ = try EventLoop.run(log: .silent) { loop in
                        continuation.resume(returning: .success(loop))
                        // An endless stream, so that the loop does not end.
                        let (never, end) = AsyncStream<Never>.makeStream()
                        for await _ in never {}
                        withExtendedLifetime(end) {}
                        return 0
                    }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    static func start(_ log: Log) async throws(SocketsError) -> EventLoop {
        let loop = try await loop.value.get()
        Engine.say.withLock { $0 = log }
        return loop
    }
}

extension EventLoop {
    /// The loop of a process whose main thread does other work. Started once, never ended. Not isolated to `Loop`, because such code would
    /// wait for the loop that this call starts.
    package nonisolated static func background(log: Log = .silent) async throws(SocketsError) -> EventLoop {
        try await BackgroundLoop.start(log)
    }
}
