package import BatonSeams
import Synchronization
import Threads

/// One loop for a process that does not give up its main thread.
private enum BackgroundLoop {
    private static let loop = Task<Result<EventLoop, SocketsError>, Never>.detached {
        await withCheckedContinuation { continuation in
            OwnThread.start {
                do throws(SocketsError) {
                    _ = try EventLoop.run(log: .silent) { loop in
                        continuation.resume(returning: .success(loop))
                        // A stream without end, so that the loop has none.
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
    /// The loop of a process whose main thread has other things to do. Started once, never ended.
    /// Not isolated to `Loop`, because code that is would wait for the loop that this call starts.
    package nonisolated static func background(log: Log = .silent) async throws(SocketsError) -> EventLoop {
        try await BackgroundLoop.start(log)
    }
}
