/// The drums: a pattern for each style, fills at the end of sections, a cymbal at the start of the next.
struct Drums {
    /// Keys of General MIDI's percussion.
    private enum Piece: Int {
        case kick = 36, stick = 37, snare = 38, clap = 39, closedHat = 42, pedalHat = 44, openHat = 46, lowTom = 45, midTom = 47, highTom =
            50
        case crash = 49, ride = 51, tambourine = 54, shaker = 70
    }

    /// One character for each sixteenth of a 4/4 bar: `x` is struck, `o` softly.
    private struct Pattern {
        var rows: [(Piece, String)]
    }

    private let plan: Plan
    private var random: TopicRandom
    private var notes: [Score.Note] = []

    static func notes(_ plan: Plan) -> [Score.Note] {
        var drums = Drums(plan)
        let (calm, lively) = drums.patterns()
        for bar in plan.bars where plan.has(.drums, in: bar.section) {
            let isFill = bar.isLastOfSection && bar.section.bars > 1
            drums.play(bar.intensity < 60 ? calm : lively, bar, until: isFill ? plan.metre.middleStep : plan.metre.steps)
            if isFill { drums.fill(bar) }
            if bar.number == 0, bar.index > 0 { drums.strike(.crash, in: bar, at: 0, louder: -6) }
        }
        if let section = plan.sections.last, plan.has(.drums, in: section) { drums.close(section) }
        return drums.notes
    }

    private init(_ plan: Plan) {
        self.plan = plan
        random = TopicRandom(plan.recipe.seed, "drums")
    }

    private mutating func patterns() -> (Pattern, Pattern) {
        let hats = Pattern(rows: [(.kick, "x.......x......."), (.stick, "....x.......x..."), (.closedHat, "x.o.x.o.x.o.x.o.")])
        let straight = Pattern(rows: [(.kick, "x.....x.x......."), (.snare, "....x.......x..."), (.closedHat, "x.x.x.x.x.x.x.x.")])
        let busy = Pattern(rows: [(.kick, "x..x..x.x.x....."), (.snare, "....x..o.o..x..o"), (.closedHat, "xoxoxoxoxoxoxoxo")])
        switch plan.recipe.style {
        case .ambient, .classical:
            return (
                Pattern(rows: [(.shaker, "o...o...o...o...")]), Pattern(rows: [(.kick, "x......."), (.shaker, "x.o.x.o.x.o.x.o.")])
            )
        case .cinematic:
            return (
                Pattern(rows: [(.lowTom, "x.......o.......")]),
                Pattern(rows: [(.kick, "x.....x.x......."), (.lowTom, "x..x..x.x..x..xo"), (.midTom, "......x.......x.")])
            )
        case .jazz, .blues:
            let ride = Pattern(rows: [(.ride, "x...x.o.x...x.o."), (.pedalHat, "....x.......x..."), (.kick, "o.......o.......")])
            return (
                ride, Pattern(rows: ride.rows + [(.snare, random.chance(50) ? "......o......o.." : "..o.......o.....")])
            )
        case .folk:
            return (
                Pattern(rows: [(.tambourine, "....x.......x...")]),
                Pattern(rows: [(.kick, "x.......x......."), (.tambourine, "o.o.x.o.o.o.x.o.")])
            )
        case .electronic:
            let four = Pattern(rows: [(.kick, "x...x...x...x..."), (.openHat, "..x...x...x...x."), (.clap, "....x.......x...")])
            return (
                Pattern(rows: [(.kick, "x...x...x...x..."), (.closedHat, "..x...x...x...x.")]),
                Pattern(rows: four.rows + [(.closedHat, "oooooooooooooooo")])
            )
        case .lofi:
            return (hats, Pattern(rows: [(.kick, "x......xx......."), (.snare, "....x.......x..."), (.closedHat, "x.o.x.o.x.o.x.oo")]))
        case .latin:
            return (
                Pattern(rows: [(.stick, "x..x..x...x.x..."), (.shaker, "x.o.x.o.x.o.x.o.")]),
                Pattern(rows: [(.kick, "x..x...xx..x...x"), (.stick, "x..x..x...x.x..."), (.shaker, "xoxoxoxoxoxoxoxo")])
            )
        case .funk: return (straight, busy)
        case .rock, .pop: return (hats, random.chance(60) ? straight : busy)
        }
    }

    /// Plays a pattern. Patterns are written for 4/4; other metres use as many steps as they need, and 6/8 maps them beat by beat.
    private mutating func play(_ pattern: Pattern, _ bar: Plan.Bar, until end: Int) {
        for (piece, row) in pattern.rows {
            let marks = Array(row.utf8)
            for step in 0..<end {
                let mark = marks[column(step) % marks.count]
                guard mark != UInt8(ascii: ".") else { continue }
                strike(piece, in: bar, at: step, louder: (mark == UInt8(ascii: "o") ? -22 : 0) + (step == 0 ? 6 : 0))
            }
        }
    }

    private func column(_ step: Int) -> Int {
        guard plan.metre == .sixEight else { return step }
        return step / 6 * 4 + step % 6 * 2 / 3
    }

    /// A fill that gets louder towards the end of the bar and moves down the toms.
    private mutating func fill(_ bar: Plan.Bar) {
        let first = plan.metre.middleStep
        let count = plan.metre.steps - first
        let isSoft = bar.intensity < 50
        let pieces: [Piece] = isSoft ? [.snare] : [.snare, .highTom, .midTom, .lowTom]
        for step in 0..<count where !isSoft || step % 2 == 0 {
            if random.chance(25), step % 2 == 1 { continue }
            strike(pieces[step * pieces.count / count], in: bar, at: first + step, louder: -16 + step * 16 / count)
        }
        strike(.kick, in: bar, at: first, louder: -4)
    }

    private mutating func close(_ section: Section) {
        let velocity = plan.velocity(section, .drums)
        for piece in [Piece.kick, .crash] {
            notes.append(Score.Note(start: plan.finalStart, length: plan.finalLength, pitch: piece.rawValue, velocity: velocity))
        }
    }

    private mutating func strike(_ piece: Piece, in bar: Plan.Bar, at step: Int, louder: Int) {
        let velocity = plan.velocity(bar.section, .drums) + louder + random.number(in: -4...4)
        notes.append(
            Score.Note(start: plan.tick(bar, step), length: Metre.step / 2, pitch: piece.rawValue, velocity: max(20, velocity)))
    }
}
