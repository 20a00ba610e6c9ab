/// The rhythm of the chords in an accompaniment.
enum ChordRhythm {
    struct Stroke {
        var step: Int
        var steps: Int
        /// The index of a single note of the chord; `nil` plays all.
        var voice: Int?
    }

    /// A calm and a lively rhythm for a style.
    static func pair(for style: Style, in metre: Metre, random: inout TopicRandom) -> ([Stroke], [Stroke]) {
        let whole = [Stroke(step: 0, steps: metre.steps)]
        let halves = [Stroke(step: 0, steps: metre.middleStep), Stroke(step: metre.middleStep, steps: metre.steps - metre.middleStep)]
        let broken = broken(metre)
        switch style {
        case .ambient: return (whole, random.chance(50) ? broken : halves)
        case .classical: return (broken, random.chance(50) ? broken : beats(metre, from: 0))
        case .cinematic: return (whole, eighths(metre))
        case .folk: return (broken, strummed(metre))
        case .rock: return (halves, eighths(metre))
        case .pop: return (halves, strummed(metre))
        case .electronic: return (whole, offBeats(metre))
        case .lofi: return (halves, pushed(metre))
        case .jazz, .blues: return (halves, pushed(metre))
        case .funk: return (pushed(metre), strummed(metre))
        case .latin: return (offBeats(metre), pushed(metre))
        }
    }

    /// The low note on the strong beats, the others between them.
    private static func broken(_ metre: Metre) -> [Stroke] {
        stride(from: 0, to: metre.steps, by: 2).enumerated().map { count, step in
            Stroke(step: step, steps: metre.isStrong(step) ? 4 : 2, voice: metre.isStrong(step) ? 0 : 1 + count % 2)
        }
    }

    private static func beats(_ metre: Metre, from first: Int) -> [Stroke] {
        stride(from: first, to: metre.steps, by: metre.beatSteps).map { Stroke(step: $0, steps: metre.beatSteps) }
    }

    private static func eighths(_ metre: Metre) -> [Stroke] {
        stride(from: 0, to: metre.steps, by: 2).map { Stroke(step: $0, steps: 2) }
    }

    private static func offBeats(_ metre: Metre) -> [Stroke] {
        stride(from: 2, to: metre.steps, by: metre.beatSteps).map { Stroke(step: $0, steps: 2) }
    }

    /// The second stroke comes an eighth before the middle of the bar.
    private static func pushed(_ metre: Metre) -> [Stroke] {
        let push = metre.middleStep - 2
        return [Stroke(step: 0, steps: push), Stroke(step: push, steps: metre.steps - push)]
    }

    private static func strummed(_ metre: Metre) -> [Stroke] {
        let steps = [0, 4, 6, 10, 12, 14, 16, 18].filter { $0 < metre.steps }
        return zip(steps, steps.dropFirst() + [metre.steps]).map { Stroke(step: $0, steps: min(4, $1 - $0)) }
    }
}
