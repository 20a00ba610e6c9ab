import BatonCore
import BatonSeams

/// Detects that an entry's bytes have stopped coming, before libmpv runs out of sound.
///
/// A stalled server does not close the connection, so there is no other sign. While bytes arrive, or while much sound is buffered, there is
/// no report. It checks only during playback of bytes that the hub reads.
@Loop
final class StallWatch {
    private unowned let player: MPVPlayer
    private var alarm: (any Alarm)?
    /// Time that a read may wait.
    var patience = Duration.seconds(3)
    /// Amount of buffered sound below which a stall counts.
    private static let shortUs: Microseconds = 4_000_000

    /// `player` owns the watch and outlives it.
    init(player: MPVPlayer) { self.player = player }

    func restart() {
        alarm?.cancel()
        alarm = nil
        guard watched != nil else { return }
        alarm = player.reactor.after(patience / 3) { [weak self] in
            self?.look()
            self?.restart()
        }
    }

    func stop() {
        alarm?.cancel()
        alarm = nil
    }

    private var watched: LoadedEntries.Slot? {
        // The slot is copied last, since it is large.
        guard !player.isPaused, let slot = player.deck.live, slot.playable.needsStore, !slot.playable.isLive else { return nil }
        return slot
    }

    private func look() {
        guard let slot = watched, let since = player.files.waitsSince(slot.order), since.duration(to: .now) >= patience else { return }
        player.order { [weak self] core in
            core.get(["demuxer-cache-state", "audio-pts"]) { answers in
                guard let self, let slot = self.watched, self.player.files.waitsSince(slot.order) == since else { return }
                let held = answers[0]["cache-end"]?.number.flatMap { end in answers[1].number.map { end - $0 } } ?? 0
                guard !slot.hasBegun || self.player.isBuffering || held * 1_000_000 < Double(Self.shortUs) else { return }
                self.player.tell(.starving(slot.entry))
            }
        }
    }
}
