package import BatonCore

/// New recipes made from others: varied, continued, steered.
extension Recipe {
    /// The same piece with another motif, cut or lengthened to the bar.
    package func with(_ motif: Motif) -> Recipe {
        var changed = self
        changed.motif = motif.filled(to: metre.steps)
        return changed
    }

    /// A person's wishes for the next piece; each press counts once.
    package struct Steering: Equatable, Sendable {
        package var calmer = 0
        package var livelier = 0
        package var brighter = 0
        package var darker = 0

        package init() {}

        package init(_ presses: [Steer]) {
            func count(_ steer: Steer) -> Int { min(Self.mostPresses, presses.count { $0 == steer }) }
            (calmer, livelier, brighter, darker) = (count(.calmer), count(.livelier), count(.brighter), count(.darker))
        }

        package static let mostPresses = 10
        static let pointsPerPress = 12
    }

    /// A variation of the piece. 0 is the same piece; at 100 motif, chords and patterns are new, and only tempo, key and instruments stay.
    package func varied(by amount: Int, seed other: UInt64) -> Recipe {
        guard amount > 0 else { return self }
        var random = TopicRandom(TopicRandom.mix(seed, other), "vary")
        var varied = self
        // The seed decides chords and patterns. Small variations keep it, so that the piece is recognised.
        if amount >= 50 || random.chance(amount) { varied.seed = random.seed() }
        varied.motif = motif.mutated(amount, seed: random.seed(), metre: metre, energy: energy)
        varied.energy = moved(energy, by: amount / 5, &random)
        varied.brightness = moved(brightness, by: amount / 5, &random)
        if amount >= 75 { varied.form = random.pick(FormKind.allCases.filter { $0 != form }) }
        return varied
    }

    /// The next piece of endless music: the same motif and instruments, a related key, and nearly the same tempo.
    package func continued(seed other: UInt64, seconds: Int) -> Recipe {
        var random = TopicRandom(TopicRandom.mix(seed, other), "continue")
        var next = self
        next.seed = random.seed()
        next.seconds = seconds
        next.key = random.pick(key.related)
        next.form = random.pick(FormKind.allCases)
        next.energy = moved(energy, by: 8, &random)
        return next.fitted(tempoWithin: 3)
    }

    package func steered(_ steering: Steering) -> Recipe {
        guard steering != Steering() else { return self }
        var steered = self
        let points = Steering.pointsPerPress
        steered.energy = min(100, max(0, energy + (steering.livelier - steering.calmer) * points))
        let light = (steering.brighter - steering.darker) * points
        steered.brightness = min(100, max(0, brightness + light))
        if light != 0 { steered.key.mode = Self.mode(key.mode, moved: light) }
        return steered
    }

    /// The mode after steering; two presses move one step between dark and bright.
    private static func mode(_ mode: Key.Mode, moved light: Int) -> Key.Mode {
        let modes = Key.Mode.byBrightness
        let steps = (abs(light) + Steering.pointsPerPress) / (2 * Steering.pointsPerPress)
        let at = (modes.firstIndex(of: mode) ?? 0) + (light > 0 ? steps : -steps)
        return modes[min(modes.count - 1, max(0, at))]
    }

    private func moved(_ value: Int, by reach: Int, _ random: inout TopicRandom) -> Int {
        min(100, max(0, value + random.number(in: -reach...reach)))
    }
}
