/// The melody: the motif and its variations.
struct Melody {
    private let plan: Plan
    private let range: ClosedRange<Int>
    private let base: Int
    private var random: TopicRandom
    private var notes: [Score.Note] = []
    /// The degree of the last note, counted from the tonic above `base`.
    private var last: Int

    static func notes(_ plan: Plan) -> [Score.Note] {
        var melody = Melody(plan)
        for bar in plan.bars { melody.write(bar) }
        melody.close()
        return melody.notes
    }

    private init(_ plan: Plan) {
        self.plan = plan
        range = plan.register(.lead)
        base = range.lowerBound
        random = TopicRandom(plan.recipe.seed, "melody")
        last = 0
        last = degrees(near: (range.lowerBound + range.upperBound) / 2)
    }

    private mutating func write(_ bar: Plan.Bar) {
        guard let motif = shape(of: bar) else { return }
        let shift = transposition(of: motif, bar)
        var step = 0
        for (index, tone) in motif.tones.enumerated() {
            defer { step += tone.steps }
            guard let degree = tone.degree else { continue }
            place(degree + shift, bar, step: step, steps: tone.steps, isLast: index == motif.tones.count - 1)
        }
    }

    private mutating func place(_ wanted: Int, _ bar: Plan.Bar, step: Int, steps: Int, isLast: Bool) {
        var degree = wanted
        // Inversions and reversals may leave a passing note on a strong beat, where it would clash with the chord.
        if plan.metre.isStrong(step), !bar.chord.holds(degree) { degree = bar.chord.holds(degree - 1) ? degree - 1 : degree + 1 }
        let pitch = bar.chord.pitch(degree, in: plan.key, above: base)
        let start = plan.tick(bar, step)
        let end = plan.tick(bar, step + steps)
        // A gap after each phrase, otherwise almost legato.
        let gap = isLast && bar.isLastOfPhrase ? (end - start) / 4 : (end - start) / 16
        let accent = step == 0 ? 8 : plan.metre.isStrong(step) ? 4 : 0
        let arc = bar.number % 4 == 2 ? 4 : 0
        let velocity = plan.velocity(bar.section, .lead) + accent + arc + random.number(in: -3...3)
        notes.append(Score.Note(start: start, length: max(60, end - start - gap), pitch: near(fold(pitch)), velocity: velocity))
        last = degree
    }

    /// The motif of the melody in a bar; `nil` is silence.
    private mutating func shape(of bar: Plan.Bar) -> Motif? {
        let motif = plan.recipe.motif
        let place = bar.isLastOfSection ? 3 : bar.number % 4
        switch (bar.section.role, place) {
        case (.intro, _): return bar.isLastOfSection && bar.section.bars > 1 ? motif.opening : nil
        case (.motif, 0), (.resolution, 0): return motif
        case (.motif, 1), (.resolution, 1): return motif.backwards
        case (.motif, 2): return bar.section.turn > 0 ? motif.adorned : motif
        case (.resolution, 2), (.chorus, 2): return motif.adorned
        case (.chorus, 0): return motif
        case (.chorus, 1): return motif.inverted
        case (.development, 0): return bar.section.turn > 0 ? motif.inverted : motif.adorned
        case (.development, 1), (.development, 2): return bar.number % 8 < 4 ? motif.fragmented : motif.inverted
        case (.bridge, 0), (.bridge, 2): return motif.stretched
        case (.bridge, 1): return nil
        case (.outro, 0): return bar.section.bars > 1 ? motif.stretched : held(2)
        case (.outro, 1): return nil
        default: return bar.section.bars == 1 ? motif : cadence(bar)
        }
    }

    /// The end of a phrase: the first notes of the motif, and a long chord note.
    private func cadence(_ bar: Plan.Bar) -> Motif {
        let half = plan.metre.middleStep
        let head = plan.recipe.motif.filled(to: half).tones
        let isClosed = bar.section.role == .chorus || bar.section.role == .resolution
        let goal = isClosed || bar.section.role == .outro ? 0 : 4
        return Motif(tones: head + [Motif.Tone(degree: goal, steps: plan.metre.steps - half)])
    }

    private func held(_ degree: Int) -> Motif { Motif(tones: [Motif.Tone(degree: degree, steps: plan.metre.steps)]) }

    /// The shift of the motif up the scale: onto the root of the chord, in the octave that is nearest to the last note and inside the range. A chorus
    /// is higher.
    private func transposition(of motif: Motif, _ bar: Plan.Bar) -> Int {
        let degrees = motif.tones.compactMap(\.degree)
        guard let first = degrees.first, let low = degrees.min(), let high = degrees.max() else { return 0 }
        let centre = self.degrees(near: (range.lowerBound + range.upperBound) / 2) + (bar.section.role == .chorus ? 3 : 0)
        func cost(_ shift: Int) -> Int {
            let lowest = bar.chord.pitch(low + shift, in: plan.key, above: base)
            let highest = bar.chord.pitch(high + shift, in: plan.key, above: base)
            let outside = max(0, range.lowerBound - lowest) + max(0, highest - range.upperBound)
            let leap = abs(first + shift - last)
            return outside * 100 + leap * 4 + abs((low + high) / 2 + shift - centre) * 2 + (leap > 6 ? leap * 20 : 0)
        }
        let choices = (-2...4).map { bar.chord.root + 7 * $0 }
        return choices.min { (cost($0), $0) < (cost($1), $1) } ?? bar.chord.root
    }

    /// Ends on the tonic, above the final chord.
    private mutating func close() {
        let goals = [0, 7, 14, -7, 2, 9, 4].map { ($0, plan.key.pitch($0, above: base)) }.filter { range.contains($0.1) }
        let lastPitch = notes.last?.pitch ?? (range.lowerBound + range.upperBound) / 2
        guard let goal = goals.filter({ $0.0 % 7 == 0 }).min(by: { abs($0.1 - lastPitch) < abs($1.1 - lastPitch) }) ?? goals.first,
            let section = plan.sections.last
        else { return }
        notes.append(
            Score.Note(start: plan.finalStart, length: plan.finalLength, pitch: goal.1, velocity: plan.velocity(section, .lead)))
    }

    /// The pitch moved an octave nearer to the last note, where the leap would be wider than an octave.
    private func near(_ pitch: Int) -> Int {
        guard let last = notes.last?.pitch, abs(pitch - last) > 12 else { return pitch }
        let nearer = pitch > last ? pitch - 12 : pitch + 12
        return range.contains(nearer) ? nearer : pitch
    }

    /// The pitch moved by octaves into the range.
    private func fold(_ pitch: Int) -> Int {
        var pitch = pitch
        while pitch < range.lowerBound { pitch += 12 }
        while pitch > range.upperBound { pitch -= 12 }
        return pitch
    }

    private func degrees(near pitch: Int) -> Int {
        (-7...35).min { abs(plan.key.pitch($0, above: base) - pitch) < abs(plan.key.pitch($1, above: base) - pitch) } ?? 0
    }
}
