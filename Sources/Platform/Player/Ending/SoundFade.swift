import BatonCore
import BatonSeams

/// Fades the sound to silence.
///
/// Twenty steps a second, even to the ear, are too small to be heard one by one. The timer runs only during a fade. The room's gain is
/// unchanged: the audible volume is the gain times `part`.
@Loop
final class SoundFade {
    private unowned let player: MPVPlayer
    /// Factor of the fade; 1 without one.
    private(set) var part = 1.0
    private var sinceUs: Microseconds = 0
    private var lengthUs: Microseconds = 0
    private var alarm: (any Alarm)?

    private static let step = Duration.milliseconds(50)

    /// `player` owns the fade and outlives it.
    init(player: MPVPlayer) { self.player = player }

    func begin(overMs: Milliseconds) {
        sinceUs = player.reactor.nowUs
        lengthUs = Microseconds(max(1, overMs))
        show()
    }

    /// Ends the fade and restores the volume.
    func end() {
        alarm?.cancel()
        alarm = nil
        guard part != 1 else { return }
        part = 1
        player.showGain()
    }

    private func show() {
        part = Self.part(ofUs: player.reactor.nowUs - sinceUs, lengthUs)
        player.showGain()
        alarm = part > 0 ? player.reactor.after(Self.step) { [weak self] in self?.show() } : nil
    }

    /// The factor as an amplitude. It is a cube, as for the volume, which sounds like even steps.
    nonisolated static func part(ofUs us: Microseconds, _ lengthUs: Microseconds) -> Double {
        let left = max(0, min(1, 1 - Double(us) / Double(lengthUs)))
        return left * left * left
    }
}
