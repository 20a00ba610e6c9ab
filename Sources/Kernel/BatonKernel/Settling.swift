package import BatonSeams

/// Tells whether all sources have been opened since the start. Commands that need a source wait for that.
@Loop
package final class Settling {
    private(set) var isDone = true
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Begins the wait. Without this call all sources count as open, as in a hub without accounts.
    package func begin() { isDone = false }

    /// Ends the wait and lets all waiting commands go on, in the order in which they came.
    package func finish() {
        isDone = true
        for one in waiting { one.resume() }
        waiting = []
    }

    /// Returns once all sources are open; at once after that.
    package func wait() async {
        guard !isDone else { return }
        await withCheckedContinuation { answer in
            // Other work may have run on the loop before this closure does.
            if isDone { answer.resume() } else { waiting.append(answer) }
        }
    }
}
