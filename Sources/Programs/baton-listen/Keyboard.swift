import Threads

/// Lines of the standard input. Reading waits, so a thread of its own does it.
enum Keyboard {
    static func lines() -> AsyncStream<String> {
        AsyncStream { lines in
            let isStarted = OwnThread.tryStart {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
            if !isStarted { lines.finish() }
        }
    }
}
