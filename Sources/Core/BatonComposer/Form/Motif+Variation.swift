/// Variations of a motif. Each result fills one bar again.
extension Motif {
    /// The motif turned upside down around the middle note of the chord, so that chord notes stay chord notes.
    var inverted: Motif { changed { 4 - $0 } }

    /// The same rhythm with the notes in reverse order.
    var backwards: Motif {
        let degrees = Array(tones.map(\.degree).reversed())
        return Motif(tones: zip(tones, degrees).map { Tone(degree: $1, steps: $0.steps) })
    }

    /// The first half twice, the second time a step higher.
    var fragmented: Motif {
        let head = first(steps / 2)
        return Motif(tones: head + head.map { Tone(degree: $0.degree.map { $0 + 1 }, steps: $0.steps) }).filled(to: steps)
    }

    /// The first half at half the speed.
    var stretched: Motif { Motif(tones: first(steps / 2).map { Tone(degree: $0.degree, steps: $0.steps * 2) }).filled(to: steps) }

    /// The longest note is split, and its second half moves a step up.
    var adorned: Motif {
        guard let longest = tones.indices.max(by: { tones[$0].steps < tones[$1].steps }), let degree = tones[longest].degree,
            tones[longest].steps >= 4
        else { return self }
        var adorned = self
        let half = tones[longest].steps / 2
        adorned.tones.replaceSubrange(
            longest...longest, with: [Tone(degree: degree, steps: tones[longest].steps - half), Tone(degree: degree + 1, steps: half)])
        return adorned
    }

    /// The first notes, followed by a rest.
    var opening: Motif {
        let head = first(steps / 2)
        return Motif(tones: head + [Tone(degree: nil, steps: steps - head.reduce(0) { $0 + $1.steps })])
    }

    /// Changes each note with this probability in percent; 100 gives another motif.
    package func mutated(_ amount: Int, seed: UInt64, metre: Metre, energy: Int) -> Motif {
        guard amount > 0 else { return self }
        var random = TopicRandom(seed, "mutation")
        let other = Motif.made(of: random.seed(), metre: metre, energy: energy)
        if amount >= 100 { return other == self ? other.inverted : other }
        var tones = tones
        for at in tones.indices where random.chance(amount) {
            guard let degree = tones[at].degree else { continue }
            tones[at].degree = min(8, max(-3, degree + random.pick([-2, -1, 1, 2])))
        }
        // At least one note changes, otherwise the amount would have no effect.
        if tones == self.tones, let last = tones.last?.degree { tones[tones.count - 1].degree = last > 3 ? last - 2 : last + 2 }
        return Motif(tones: tones)
    }

    private func changed(_ change: (Int) -> Int) -> Motif {
        Motif(tones: tones.map { Tone(degree: $0.degree.map(change), steps: $0.steps) })
    }

    private func first(_ wanted: Int) -> [Tone] {
        var left = wanted
        var head: [Tone] = []
        for tone in tones where left > 0 {
            head.append(Tone(degree: tone.degree, steps: min(left, tone.steps)))
            left -= min(left, tone.steps)
        }
        return head
    }

    /// The motif cut to `wanted` sixteenths, or with its last note lengthened, so that the bar is full.
    func filled(to wanted: Int) -> Motif {
        var kept = Motif(tones: first(wanted))
        if kept.steps < wanted, !kept.tones.isEmpty { kept.tones[kept.tones.count - 1].steps += wanted - kept.steps }
        return kept
    }
}
