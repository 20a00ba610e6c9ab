import BatonCore
import BatonKernel
import BatonSeams

/// The delivery to one source: the running work, and the pause after a failure.
@Loop
final class DeliveryLine {
    private var work: Task<Void, Never>?
    /// True when something was added while it was working.
    private var isWanted = false
    private var alarm: (any Alarm)?
    /// True when the length of the pause is the hub's own choice, and not the source's.
    private(set) var pauseIsOurs = true
    private var failures = 0
    private var once: Task<Void, Never>?

    /// Starts the delivery, unless it is running or paused.
    func begin(_ deliver: @escaping @Loop () async -> Void) {
        guard alarm == nil else { return }
        guard work == nil else {
            isWanted = true
            return
        }
        work = Task(executorPreference: Loop.jobs) { [weak self] in
            await deliver()
            await self?.hasEnded(deliver)
        }
    }

    private func hasEnded(_ deliver: @escaping @Loop () async -> Void) {
        work = nil
        guard isWanted else { return }
        isWanted = false
        begin(deliver)
    }

    func hasDelivered() { failures = 0 }

    /// Pauses: for twice as long after each failure, at most five minutes, or for the time that the source asks for.
    func pause(for ms: Milliseconds?, _ reactor: any Reactor, _ then: @escaping @Loop () -> Void) {
        failures += 1
        pauseIsOurs = ms == nil
        let pause = ms.map { Duration.milliseconds(min(max(0, $0), Self.longestMs)) } ?? SourceHealth.pause(after: failures)
        alarm?.cancel()
        alarm = reactor.after(pause) { [weak self] in
            self?.alarm = nil
            then()
        }
    }

    /// Limit on the pause. A server that asks for more is wrong.
    private static let longestMs: Milliseconds = 3_600_000

    func endPause() {
        alarm?.cancel()
        alarm = nil
    }

    /// Sends something once: after earlier sends, or instead of one that has not started.
    func tellOnce(inPlaceOfEarlier: Bool, _ tell: @escaping @Loop () async -> Void) {
        let earlier = once
        if inPlaceOfEarlier { earlier?.cancel() }
        once = Task(executorPreference: Loop.jobs) {
            await earlier?.value
            await tell()
        }
    }

    func cancel() {
        endPause()
        isWanted = false
        work?.cancel()
        once?.cancel()
    }

    func ended() async {
        await work?.value
        await once?.value
    }
}
