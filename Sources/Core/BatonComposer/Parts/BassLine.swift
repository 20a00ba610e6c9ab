/// The bass: roots on strong beats, and transitions to the next root.
struct BassLine {
    private enum Figure: CaseIterable {
        case long, fifths, walking, eighths, octaves, syncopated
    }

    private let plan: Plan
    private let range: ClosedRange<Int>
    private var random: TopicRandom
    private var notes: [Score.Note] = []
    private var last: Int

    static func notes(_ plan: Plan) -> [Score.Note] {
        var line = BassLine(plan)
        let (calm, lively) = line.figures()
        for bar in plan.bars where plan.has(.bass, in: bar.section) {
            line.write(bar, bar.intensity < 55 ? calm : lively)
        }
        line.close()
        return line.notes
    }

    private init(_ plan: Plan) {
        self.plan = plan
        let register = plan.register(.bass)
        // An octave and a half at most, because wide leaps weaken a bass line.
        range = register.lowerBound...min(register.upperBound, register.lowerBound + 20)
        last = register.lowerBound + 8
        random = TopicRandom(plan.recipe.seed, "bass")
    }

    private mutating func figures() -> (Figure, Figure) {
        switch plan.recipe.style {
        case .ambient, .cinematic: (.long, random.pick([.long, .octaves]))
        case .classical: (.long, .fifths)
        case .jazz, .blues: (.fifths, .walking)
        case .folk, .latin: (.fifths, random.pick([.fifths, .syncopated]))
        case .rock: (.fifths, .eighths)
        case .pop, .lofi: (.long, random.pick([.syncopated, .fifths, .eighths]))
        case .electronic: (.syncopated, random.pick([.octaves, .eighths]))
        case .funk: (.syncopated, random.pick([.syncopated, .octaves]))
        }
    }

    private mutating func write(_ bar: Plan.Bar, _ figure: Figure) {
        let root = near(bar.chord.pitch(bar.chord.root, in: plan.key, above: 24))
        let fifth = near(bar.chord.pitch(bar.chord.root + 4, in: plan.key, above: 24), to: root)
        let steps = plan.metre.steps
        let middle = plan.metre.middleStep
        switch figure {
        case .long: add(root, in: bar, at: 0, steps: steps)
        case .fifths:
            add(root, in: bar, at: 0, steps: middle)
            add(fifth, in: bar, at: middle, steps: steps - middle)
        case .walking: walk(bar, from: root)
        case .eighths:
            for step in stride(from: 0, to: steps, by: 2) {
                add(step == steps - 2 && bar.isLastOfPhrase ? fifth : root, in: bar, at: step, steps: 2)
            }
        case .octaves:
            let high = root + 12 <= range.upperBound + 5 ? root + 12 : root
            for step in stride(from: 0, to: steps, by: 2) { add(step % 4 == 0 ? root : high, in: bar, at: step, steps: 2) }
        case .syncopated:
            add(root, in: bar, at: 0, steps: min(6, middle))
            if middle > 6 { add(root, in: bar, at: 6, steps: middle - 6) }
            add(fifth, in: bar, at: middle, steps: (steps - middle + 1) / 2)
            let pickup = middle + (steps - middle + 1) / 2
            if pickup < steps { add(root, in: bar, at: pickup, steps: steps - pickup) }
        }
        last = root
    }

    /// One note a beat: scale steps towards the next root, and its neighbour before it.
    private mutating func walk(_ bar: Plan.Bar, from root: Int) {
        let target = near(bar.next.pitch(bar.next.root, in: plan.key, above: 24), to: root)
        let scale = range.filter { plan.key.mode.scale.contains(($0 - plan.key.tonic + 120) % 12) }
        var pitch = root
        for beat in 0..<plan.metre.beats {
            let step = beat * plan.metre.beatSteps
            if beat == plan.metre.beats - 1, beat > 0 {
                pitch = scale.filter { $0 != target }.min { (abs($0 - target), $0) < (abs($1 - target), $1) } ?? pitch
            } else if beat > 0 {
                let isUp = target > pitch || (target == pitch && random.chance(50))
                pitch = (isUp ? scale.first { $0 > pitch } : scale.last { $0 < pitch }) ?? root
            }
            add(pitch, in: bar, at: step, steps: plan.metre.beatSteps)
        }
    }

    private mutating func close() {
        guard let section = plan.sections.last, plan.has(.bass, in: section) else { return }
        let pitch = near(plan.key.pitch(0, above: 24))
        notes.append(
            Score.Note(start: plan.finalStart, length: plan.finalLength, pitch: pitch, velocity: plan.velocity(section, .bass)))
    }

    /// The note of this pitch class that is nearest to the last one.
    private func near(_ pitch: Int, to other: Int? = nil) -> Int {
        let goal = other ?? last
        return range.filter { ($0 - pitch) % 12 == 0 }.min { (abs($0 - goal), $0) < (abs($1 - goal), $1) } ?? pitch
    }

    private mutating func add(_ pitch: Int, in bar: Plan.Bar, at step: Int, steps: Int) {
        let start = plan.tick(bar, step)
        let end = step + steps >= plan.metre.steps ? bar.start + plan.layout.barTicks : plan.tick(bar, step + steps)
        let velocity = plan.velocity(bar.section, .bass) + (step == 0 ? 8 : 0) + random.number(in: -3...3)
        notes.append(Score.Note(start: start, length: max(60, (end - start) * 7 / 8), pitch: pitch, velocity: velocity))
    }
}
