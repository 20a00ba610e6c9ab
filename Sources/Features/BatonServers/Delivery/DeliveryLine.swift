import BatonKernel
import BatonSeams

/// The way to one source: what is being delivered, and the pause after a failure.
@Loop
final class DeliveryLine {
    private var work: Task<Void, Never>?
    /// Something came while it was at work.
    private var isWanted = false
    private var alarm: (any Alarm)?
    /// The source did not say how long the pause is to be.
    private(set) var pauseIsOurs = true
    private var failures = 0
    private var once: Task<Void, Never>?

    /// Works unless it does so already, or is in a pause.
    package func begin(_ deliver: @escaping @Loop () async -> Void) {
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

    /// Twice as long after each failure, at most five minutes, unless the source says how long.
    func pause(for ms: Int?, _ reactor: any Reactor, _ then: @escaping @Loop () -> Void) {
        failures += 1
        pauseIsOurs = ms == nil
        let pause = ms.map { Duration.milliseconds(min(max(0, $0), Self.longestMs)) } ?? SourceHealth.pause(after: failures)
        alarm?.cancel()
        alarm = reactor.after(pause) { [weak self] in
            self?.alarm = nil
            then()
        }
    }

    /// A server that asks for more has made a mistake.
    private static let longestMs = 3_600_000

    func endPause() {
        alarm?.cancel()
        alarm = nil
    }

    /// Behind those before, or in the place of one that has not been told yet.
    func tellOnce(inPlaceOfEarlier: Bool, _ tell: @escaping @Loop () async -> Void) {
        let earlier = once
        if inPlaceOfEarlier { earlier?.cancel() }
        once = Task(executorPreference: Loop.jobs) {
            await earlier?.value
            await tell()
        }
    }

    package func cancel() {
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
