import BatonCore
import BatonKernel
import BatonSeams

/// The steps that a joined room has sent to its server, the oldest first, until the server's state shows their results.
@Loop
final class JoinedPresses {
    private static let deadline = Duration.seconds(5)
    private static let most = 32

    private var waiting: [JoinedRoomPress] = []

    nonisolated init() {}

    var isFull: Bool { waiting.count >= Self.most }

    /// Adds a step, which ends with the fault `late` if nothing shows its result in time.
    func add(_ sign: JoinedSign, by clock: HubClock, otherwise late: SourceFault) -> JoinedRoomPress {
        let press = JoinedRoomPress(sign, atUs: clock.nowUs)
        waiting.append(press)
        press.alarm = clock.after(Self.deadline) { press.settle(late) }
        return press
    }

    func remove(_ press: JoinedRoomPress) { waiting.removeAll { $0 === press } }

    func settle(by state: ServerRoomState, atUs nowUs: Microseconds) {
        for press in waiting where press.sign.isShown(by: state, elapsedMs: Double(nowUs - press.sentUs) / 1000) { press.settle(nil) }
    }

    /// Handles a refusal of the server, for the oldest waiting step.
    func refuse(_ sentence: String, at server: String) {
        let why = sentence.isEmpty ? "" : ": \(sentence)"
        waiting.first?.settle(SourceFault(.forbidden, "“\(server)” refuses this\(why)\(why.hasSuffix(".") ? "" : ".")"))
    }

    func fail(because fault: SourceFault) {
        for press in waiting { press.settle(fault) }
    }
}

/// A sent step that waits for the state which shows its result.
@Loop
final class JoinedRoomPress {
    let sign: JoinedSign
    let sentUs: Microseconds
    fileprivate var alarm: (any Alarm)?
    private var waiting: CheckedContinuation<SourceFault?, Never>?
    private var outcome: SourceFault??

    init(_ sign: JoinedSign, atUs: Microseconds) {
        self.sign = sign
        sentUs = atUs
    }

    /// Ends the wait; `nil` means that the result was shown.
    func settle(_ fault: SourceFault?) {
        guard outcome == nil else { return }
        outcome = .some(fault)
        alarm?.cancel()
        waiting?.resume(returning: fault)
        waiting = nil
    }

    func wait() async -> SourceFault? {
        if let outcome { return outcome }
        return await withCheckedContinuation { waiting in
            if let outcome { waiting.resume(returning: outcome) } else { self.waiting = waiting }
        }
    }
}
