/// The parts that carry the harmony: chords, arpeggio, pad, second voice and colour.
struct Accompaniment {
    private let plan: Plan
    private let role: PartRole
    private let range: ClosedRange<Int>
    private var random: TopicRandom
    private var notes: [Score.Note] = []

    static func notes(_ plan: Plan, _ role: PartRole) -> [Score.Note] {
        var part = Accompaniment(plan, role)
        switch role {
        case .chords: part.strike()
        case .arpeggio: part.ripple()
        case .pad: part.hold()
        case .second: part.answer()
        case .colour: part.sparkle()
        case .lead, .bass, .drums: break
        }
        return part.notes
    }

    private init(_ plan: Plan, _ role: PartRole) {
        self.plan = plan
        self.role = role
        range = plan.register(role)
        random = TopicRandom(plan.recipe.seed, role.name)
    }

    /// Chords in the rhythm of the style. Calm sections use the simpler of its two rhythms.
    private mutating func strike() {
        let voicings = Voicing.all(plan, range: range, voices: 3)
        let (calm, lively) = ChordRhythm.pair(for: plan.recipe.style, in: plan.metre, random: &random)
        for bar in plan.bars where plan.has(role, in: bar.section) {
            for stroke in bar.intensity < 50 ? calm : lively {
                let tones = voicings[bar.index]
                let played = stroke.voice.map { [tones[min($0, tones.count - 1)]] } ?? tones
                for pitch in played { add(pitch, bar, step: stroke.step, steps: stroke.steps, louder: stroke.step == 0 ? 6 : 0) }
            }
        }
        finish(voicings)
    }

    /// An arpeggio up and down through the chord, in eighths or sixteenths.
    private mutating func ripple() {
        let voicings = Voicing.all(plan, range: range, voices: 4)
        let shapes = [[0, 1, 2, 3, 2, 1], [0, 2, 1, 3], [3, 2, 1, 0], [0, 1, 2, 1], [0, 2, 3, 2, 1, 2]]
        let shape = random.pick(shapes)
        for bar in plan.bars where plan.has(role, in: bar.section) {
            let pace = bar.intensity > 70 && plan.recipe.tempo < 112 ? 1 : 2
            for (count, step) in stride(from: 0, to: plan.metre.steps, by: pace).enumerated() {
                let tones = voicings[bar.index]
                add(tones[shape[count % shape.count] % tones.count], bar, step: step, steps: pace, louder: step == 0 ? 5 : 0)
            }
        }
        finish(voicings)
    }

    /// Chords of whole bars; a note that is also in the next chord is held.
    private mutating func hold() {
        let voicings = Voicing.all(plan, range: range, voices: 3)
        var held: [Int: Int] = [:]
        for bar in plan.bars {
            let tones = plan.has(role, in: bar.section) ? Set(voicings[bar.index]) : []
            for (pitch, note) in held.sorted(by: { $0.key < $1.key }) where !tones.contains(pitch) || bar.number % 4 == 0 {
                notes[note].length = bar.start - notes[note].start
                held[pitch] = nil
            }
            for pitch in tones.sorted() where held[pitch] == nil {
                held[pitch] = notes.count
                add(pitch, bar, step: 0, steps: plan.metre.steps, louder: 0)
            }
        }
        for note in held.values { notes[note].length = plan.finalStart - notes[note].start }
        finish(voicings)
    }

    /// A line of long chord notes below the melody that moves as little as possible.
    private mutating func answer() {
        var last = (range.lowerBound + range.upperBound) / 2
        let half = plan.metre.middleStep
        for bar in plan.bars where plan.has(role, in: bar.section) {
            for (step, steps) in [(0, half), (half, plan.metre.steps - half)] {
                let tones = bar.chord.tones(in: plan.key)
                let near = range.filter { tones.contains($0 % 12) && (step == 0 || $0 != last) }
                guard let pitch = near.min(by: { (abs($0 - last), $0) < (abs($1 - last), $1) }) else { continue }
                last = pitch
                add(pitch, bar, step: step, steps: steps, louder: step == 0 ? 4 : 0)
            }
        }
        guard let section = plan.sections.last, plan.has(role, in: section) else { return }
        let tones = plan.finalChord.tones(in: plan.key)
        guard let pitch = range.filter({ tones.contains($0 % 12) }).min(by: { (abs($0 - last), $0) < (abs($1 - last), $1) }) else { return }
        notes.append(
            Score.Note(start: plan.finalStart, length: plan.finalLength, pitch: pitch, velocity: plan.velocity(section, role)))
    }

    /// A few high notes at the beginning of a phrase, and the first notes of the motif at its end.
    private mutating func sparkle() {
        let voicings = Voicing.all(plan, range: range, voices: 3)
        let motif = plan.recipe.motif
        for bar in plan.bars where plan.has(role, in: bar.section) {
            let tones = voicings[bar.index]
            guard !tones.isEmpty else { continue }
            if bar.number % 2 == 0 {
                for (count, pitch) in tones.enumerated() { add(pitch, bar, step: count * 2, steps: 4, louder: 0) }
            } else if bar.isLastOfPhrase {
                var step = 0
                for (count, tone) in motif.tones.prefix(3).enumerated() {
                    if tone.degree != nil { add(tones[count % tones.count], bar, step: step, steps: tone.steps, louder: 2) }
                    step += tone.steps
                }
            }
        }
    }

    /// The final chord, slightly arpeggiated except in the pad.
    private mutating func finish(_ voicings: [[Int]]) {
        guard let section = plan.sections.last, plan.has(role, in: section), let tones = voicings.last else { return }
        for (count, pitch) in tones.enumerated() {
            let delay = role == .pad ? 0 : count * 30
            notes.append(
                Score.Note(
                    start: plan.finalStart + delay, length: plan.finalLength - delay, pitch: pitch, velocity: plan.velocity(section, role)))
        }
    }

    private mutating func add(_ pitch: Int, _ bar: Plan.Bar, step: Int, steps: Int, louder: Int) {
        guard step < plan.metre.steps else { return }
        let start = plan.tick(bar, step)
        let end = step + steps >= plan.metre.steps ? bar.start + plan.layout.barTicks : plan.tick(bar, step + steps)
        let velocity = plan.velocity(bar.section, role) + louder + random.number(in: -3...3)
        notes.append(Score.Note(start: start, length: max(60, end - start - 10), pitch: pitch, velocity: velocity))
    }
}
