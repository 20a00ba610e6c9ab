/// Writes the score of a recipe. The same recipe gives the same score on every machine.
package enum Composer {
    package static func score(_ recipe: Recipe) -> Score {
        let plan = Plan(recipe)
        let parts = PartRole.allCases.compactMap { part($0, plan) }
        return Score(recipe: recipe, sections: plan.sections, parts: parts, bars: plan.layout.bars + 1, ticks: plan.layout.ticks)
    }

    /// The score of a loop. It has no final chord, because its end leads to its beginning.
    package static func score(_ clip: Clip, of recipe: Recipe) -> Score {
        let plan = Plan(clip, of: recipe)
        let parts = clip.layer.roles.compactMap { part($0, plan) }
        return Score(recipe: recipe, sections: plan.sections, parts: parts, bars: clip.bars, ticks: plan.layout.ticks, clip: clip)
    }

    private static func part(_ role: PartRole, _ plan: Plan) -> Score.Part? {
        guard let program = plan.recipe[role] else { return nil }
        let notes =
            switch role {
            case .lead: Melody.notes(plan)
            case .bass: BassLine.notes(plan)
            case .drums: Drums.notes(plan)
            case .chords, .arpeggio, .pad, .second, .colour: Accompaniment.notes(plan, role)
            }
        guard !notes.isEmpty else { return nil }
        return Score.Part(role: role, program: program, notes: tidied(notes, plan), swells: swells(plan))
    }

    /// Sorts the notes and limits them to the piece and to MIDI's values. A note ends before the same pitch is struck again.
    private static func tidied(_ notes: [Score.Note], _ plan: Plan) -> [Score.Note] {
        var notes = notes.sorted { ($0.start, $0.pitch, $0.length) < ($1.start, $1.pitch, $1.length) }
        var sounding: [Int: Int] = [:]
        var isKept = [Bool](repeating: true, count: notes.count)
        for at in notes.indices {
            notes[at].velocity = min(120, max(16, notes[at].velocity))
            notes[at].length = min(notes[at].length, plan.layout.ticks - notes[at].start)
            if let before = sounding[notes[at].pitch], notes[before].end > notes[at].start {
                notes[before].length = notes[at].start - notes[before].start
                isKept[before] = notes[before].length > 0
            }
            isKept[at] = isKept[at] && notes[at].length > 0
            sounding[notes[at].pitch] = at
        }
        return zip(notes, isKept).compactMap { $1 ? $0 : nil }
    }

    /// The loudness of each section; the last two bars before a louder section rise to it.
    private static func swells(_ plan: Plan) -> [Score.Swell] {
        var swells: [Score.Swell] = []
        let levels = plan.sections.map { 84 + $0.intensity * 36 / 100 }
        for (index, section) in plan.sections.enumerated() {
            let start = section.firstBar * plan.layout.barTicks
            swells.append(Score.Swell(at: start, value: levels[index]))
            guard index + 1 < levels.count, levels[index + 1] > levels[index], section.bars >= 2 else { continue }
            let rise = section.end * plan.layout.barTicks - 2 * plan.layout.barTicks
            for step in 1..<8 {
                let value = levels[index] + (levels[index + 1] - levels[index]) * step / 8
                swells.append(Score.Swell(at: rise + 2 * plan.layout.barTicks * step / 8, value: value))
            }
        }
        return swells
    }
}
