import BatonSeams

/// Lets the sound grow quieter until it is silence.
///
/// Twenty steps a second, evenly to the ear, are too small to be heard one by one. A timer runs only meanwhile. The gain of the room
/// is not touched: what is heard is the gain times `part`.
@Loop
final class SoundFade {
    private unowned let player: MPVPlayer
    /// 1 while nothing fades.
    private(set) var part = 1.0
    private var sinceUs: Int64 = 0
    private var lengthUs: Int64 = 0
    private var alarm: (any Alarm)?

    private static let step = Duration.milliseconds(50)

    /// `player` owns the fade and outlives it.
    init(player: MPVPlayer) { self.player = player }

    func begin(overMs: Int) {
        sinceUs = player.reactor.nowUs
        lengthUs = Int64(max(1, overMs)) * 1000
        show()
    }

    /// As loud again as the gain says.
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

    /// As an amplitude: a cube, as of the volume, which the ear takes for even steps.
    nonisolated static func part(ofUs us: Int64, _ lengthUs: Int64) -> Double {
        let left = max(0, min(1, 1 - Double(us) / Double(lengthUs)))
        return left * left * left
    }
}
