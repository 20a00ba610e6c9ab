import BatonCore
import BatonSeams

/// Reports the age of a station's sound if its past is stored: at the start, and when the age has changed.
extension MPVPlayer {
    /// Called with every measured position during playback.
    func lookAtPast(of slot: LoadedEntries.Slot, atSeconds seconds: Double) {
        guard let received = files.received(of: slot.order),
            past.beginIfDue(of: slot.order, atUs: reactor.nowUs, isSettled: position.isSettled)
        else { return }
        order { [weak self] core in
            core.get("demuxer-cache-state") { _, state in
                guard let self, slot.order == self.deck.live?.order, let end = state["cache-end"]?.number else { return }
                self.compare(
                    slot, ageMs: Self.ms(since: received.at) + Milliseconds.seconds(max(0, end - seconds)),
                    reachMs: Self.ms(since: received.oldestAt)
                )
            }
        }
    }

    private func compare(_ slot: LoadedEntries.Slot, ageMs: Milliseconds, reachMs: Milliseconds) {
        let nowUs = reactor.nowUs
        guard past.take(ageMs: ageMs, reachMs: reachMs, of: slot.order, atUs: nowUs) else { return }
        tell(.past(slot.entry, ageMs: past.ageMs, reachMs: reachMs, atUs: nowUs))
    }

    private static func ms(since moment: ContinuousClock.Instant) -> Milliseconds { Milliseconds(moment.duration(to: .now)) }
}
