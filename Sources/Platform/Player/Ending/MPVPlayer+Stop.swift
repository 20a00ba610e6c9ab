package import BatonCore
import BatonSeams

/// Ends an entry at the position that the room sets, before its own end.
///
/// libmpv's `end` cuts to the sample, but only sound that is not decoded yet. So close before that position libmpv is sent a seek to the
/// one that is heard now: this drops the decoded sound and decodes it again. A part of a file has an end of its own, which is restored
/// when the room withdraws its position.
extension MPVPlayer {
    package func stopAt(_ stop: PlayerStop?) {
        ending.want(stop)
        settleEnd()
    }

    /// Reports the stop itself as the position, since trimmed silence before it counts as passed although it was not heard.
    func tellStop(of slot: LoadedEntries.Slot) {
        guard slot.playable.trim != nil, let stop = ending.stop(of: slot.entry) else { return }
        tell(.line(slot.entry, positionMs: stop.atMs, atUs: reactor.nowUs, rate: isPaused ? 0 : speed))
    }

    /// Tells libmpv the end of the current entry. If the room sets none and none has to be restored, the options of the file apply.
    func settleEnd() {
        guard let slot = deck.live, let end = ending.settle(for: slot) else { return }
        adjust { $0.set("end", to: .text(end)) }
        if let stop = ending.stop(of: slot.entry), let heardMs = heardClose(to: stop.atMs, in: slot) { decodeAgain(fromMs: heardMs) }
    }

    /// Clears the stop when the entry has ended and nothing follows. Otherwise the entry would end there again when it is resumed, even
    /// before its first sample if it is resumed at the stop.
    func forgetStop(of slot: LoadedEntries.Slot) {
        if ending.forget(slot.entry) { adjust { $0.set("end", to: .text("none")) } }
    }

    /// Upper bound for decoded sound in an output, in listening time.
    private static let decodedAheadMs: Milliseconds = 1000

    /// The position that is heard now, if libmpv may have decoded past the stop already.
    private func heardClose(to stopMs: Milliseconds, in slot: LoadedEntries.Slot) -> Milliseconds? {
        // A pending seek drops the decoded sound anyway.
        guard slot.hasBegun, slot.seekMs == nil, !position.isSeeking else { return nil }
        let heardMs = position.nowMs ?? slot.startMs
        return (stopMs - heardMs) * 1000 / max(1, speed) < Self.decodedAheadMs ? heardMs : nil
    }

    /// Seeks by a relative amount, because only libmpv knows the exact position that is heard when it drops the rest.
    private func decodeAgain(fromMs heardMs: Milliseconds) {
        position.seekBegins(toMs: heardMs)
        order { [weak self] core in
            core.command([.text("seek"), .text("0"), .text("relative+exact")]) { status, _ in self?.position.seekAnswered(status) }
        }
    }
}
