import Threads

/// Lines from standard input, read on a separate thread because reading blocks.
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
