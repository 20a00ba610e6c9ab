import BatonSeams

/// Whether all sources have been opened since the start. Commands that need a source wait for that.
@Loop
final class Settling {
    private(set) var isDone = true
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() { isDone = false }

    func finish() {
        isDone = true
        for one in waiting { one.resume() }
        waiting = []
    }

    func wait() async {
        guard !isDone else { return }
        await withCheckedContinuation { answer in
            // Other work may have run on the loop before this closure does.
            if isDone { answer.resume() } else { waiting.append(answer) }
        }
    }
}
