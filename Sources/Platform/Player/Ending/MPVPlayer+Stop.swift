package import BatonCore
import BatonSeams

/// An entry that ends where the room wants it to, and not at its own end.
///
/// libmpv's `end` cuts the sound to the sample. A part of a file has an end of its own, which comes back when the room wants no other.
extension MPVPlayer {
    struct ToldEnd: Equatable {
        var order: Int
        var end: String
    }

    package func stopAt(_ stop: PlayerStop?) {
        wantedStop = stop
        settleEnd()
    }

    /// Tells libmpv where what plays now ends. Without an end that the room wants, and none to take back, its file's options say it.
    func settleEnd() {
        guard let slot = deck.live else { return }
        let wanted = wantedStop.flatMap { stop -> ToldEnd? in
            guard stop.entry == slot.entry else { return nil }
            return ToldEnd(order: slot.order, end: Playable.plainSeconds(us: max(0, stop.atMs * 1000 - slot.shiftUs)))
        }
        guard wanted != toldEnd else { return }
        toldEnd = wanted
        let end = wanted?.end ?? slot.playable.endMs.map { Playable.seconds(cutMs: $0) } ?? "none"
        adjust { $0.set("end", to: .text(end)) }
    }
}
