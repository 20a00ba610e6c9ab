/// Chord voicings in which each voice moves as little as possible.
enum Voicing {
    /// The voicing of every bar of the plan and of the final chord, `voices` notes each, from the lowest up.
    static func all(_ plan: Plan, range: ClosedRange<Int>, voices: Int) -> [[Int]] {
        var last: [Int] = []
        return (plan.bars.map(\.chord) + [plan.finalChord]).map { chord in
            last = next(after: last, of: chord.tones(in: plan.key), within: range, voices: voices)
            return last
        }
    }

    /// The voicing nearest to the last one. Its lowest note may be any chord note, because the bass has the root.
    private static func next(after last: [Int], of tones: [Int], within range: ClosedRange<Int>, voices: Int) -> [Int] {
        let choices = layouts(of: tones, within: range, voices: voices)
        let middle = (range.lowerBound + range.upperBound) / 2
        func cost(_ layout: [Int]) -> Int {
            guard last.count == layout.count else { return abs(layout.reduce(0, +) / layout.count - middle) }
            let moves = zip(layout, last).map { abs($0 - $1) }
            let drift = abs(layout.reduce(0, +) / layout.count - middle)
            return moves.reduce(0, +) * 2 + moves.reduce(0) { $0 + ($1 > 7 ? 40 : 0) } + drift
        }
        return choices.min { first, second in
            let (one, two) = (cost(first), cost(second))
            return one == two ? first.lexicographicallyPrecedes(second) : one < two
        } ?? []
    }

    /// Close voicings: each begins at a chord note in the range and goes up through the others.
    private static func layouts(of tones: [Int], within range: ClosedRange<Int>, voices: Int) -> [[Int]] {
        let wanted = tones.count > voices ? [tones[0], tones[1], tones[3]] : tones
        var found: [[Int]] = []
        for low in range where wanted.contains(low % 12) {
            var layout = [low]
            while layout.count < voices, let top = layout.last {
                guard let up = (top + 1...top + 12).first(where: { wanted.contains($0 % 12) }) else { break }
                layout.append(up)
            }
            if layout.count == voices, let top = layout.last, range.contains(top) { found.append(layout) }
        }
        return found
    }
}
