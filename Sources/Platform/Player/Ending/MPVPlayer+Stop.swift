package import BatonCore
import BatonSeams

/// An entry that ends where the room wants it to, and not at its own end.
///
/// libmpv's `end` cuts the sound to the sample where it decodes. What was decoded before and waits for the loudspeaker is not cut any
/// more: close before its end, libmpv is sent to the very place that is heard now, which drops that and decodes it anew. A part of a
/// file has an end of its own, which comes back when the room wants no other.
extension MPVPlayer {
    struct ToldEnd: Equatable {
        var order: Int
        var end: String
    }

    package func stopAt(_ stop: PlayerStop?) {
        wantedStop = stop
        settleEnd()
    }

    /// What is left out before an end that the room wants has been passed with it, although it was not heard.
    func tellStop(of slot: LoadedEntries.Slot) {
        guard slot.playable.trim != nil, let stop = wantedStop, stop.entry == slot.entry else { return }
        tell(.line(slot.entry, positionMs: stop.atMs, atUs: reactor.nowUs, rate: isPaused ? 0 : speed))
    }

    /// Tells libmpv where what plays now ends. Without an end that the room wants, and none to take back, its file's options say it.
    func settleEnd() {
        guard let slot = deck.live else { return }
        let wanted = wantedStop.flatMap { stop -> ToldEnd? in
            guard stop.entry == slot.entry else { return nil }
            return ToldEnd(order: slot.order, end: Playable.plainSeconds(us: max(0, slot.playerUs(stop.atMs * 1000))))
        }
        guard wanted != toldEnd else { return }
        toldEnd = wanted
        let end = wanted?.end ?? slot.playable.endMs.map { Playable.seconds(cutMs: $0) } ?? "none"
        adjust { $0.set("end", to: .text(end)) }
        if wanted != nil, let stop = wantedStop, let heardMs = heardClose(to: stop.atMs, in: slot) { decodeAgain(fromMs: heardMs) }
    }

    /// Nothing follows, and nothing of the entry is played any more: its stop is over. Were it kept, the entry would end there once more
    /// when it is resumed, or before its first sample where it is resumed at the stop.
    func forgetStop(of slot: LoadedEntries.Slot) {
        if wantedStop?.entry == slot.entry { wantedStop = nil }
        guard toldEnd != nil else { return }
        toldEnd = nil
        adjust { $0.set("end", to: .text("none")) }
    }

    /// More than any output holds of decoded sound, in listening time.
    private static let decodedAheadMs = 1000

    /// What is heard now, where that is so close to the stop that libmpv may have decoded past it.
    private func heardClose(to stopMs: Int, in slot: LoadedEntries.Slot) -> Int? {
        // A seek that is on its way drops what was decoded by itself.
        guard slot.hasBegun, slot.seekMs == nil, !position.isSeeking else { return nil }
        let heardMs = position.nowMs ?? slot.startMs
        return (stopMs - heardMs) * 1000 / max(1, speed) < Self.decodedAheadMs ? heardMs : nil
    }

    /// libmpv knows best what it lets be heard at the moment when it drops the rest, so the seek is a relative one.
    private func decodeAgain(fromMs heardMs: Int) {
        position.seekBegins(toMs: heardMs)
        order { [weak self] core in
            core.command([.text("seek"), .text("0"), .text("relative+exact")]) { status, _ in self?.position.seekAnswered(status) }
        }
    }
}
