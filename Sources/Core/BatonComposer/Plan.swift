/// What is settled before the first note is written: bars, sections, chords.
struct Plan {
    struct Bar {
        var index: Int
        /// Where it begins, in ticks.
        var start: Int
        var section: Section
        var chord: Chord
        var next: Chord

        /// Counted within the section.
        var number: Int { index - section.firstBar }
        var isLastOfSection: Bool { index == section.end - 1 }
        /// Phrases have four bars.
        var isLastOfPhrase: Bool { number % 4 == 3 || isLastOfSection }
        var intensity: Int { section.intensity }
    }

    let recipe: Recipe
    let layout: Layout
    let sections: [Section]
    let bars: [Bar]

    var metre: Metre { recipe.metre }
    var key: Key { recipe.key }

    /// Where the last chord begins.
    var finalStart: Int { layout.bars * layout.barTicks }
    /// How long it sounds; a moment before the end all is quiet.
    var finalLength: Int { max(Metre.step, (layout.ticks - finalStart) * 15 / 16) }
    var finalChord: Chord { Chord(root: 0) }

    init(_ recipe: Recipe) {
        let layout = Layout(recipe)
        self.init(recipe, layout, Form.sections(recipe.form, bars: layout.bars, energy: recipe.energy))
    }

    /// A loop states the motif, and ends open. It is lively enough for every part to play.
    init(_ clip: Clip, of recipe: Recipe) {
        let intensity = max(recipe.energy, PartRole.allCases.map(\.threshold).max() ?? 0)
        let section = Section(role: .motif, firstBar: 0, bars: clip.bars, intensity: intensity, turn: 0)
        self.init(clip.layer.completed(recipe), Layout(recipe.metre, bars: clip.bars), [section])
    }

    private init(_ recipe: Recipe, _ layout: Layout, _ sections: [Section]) {
        self.recipe = recipe
        self.layout = layout
        self.sections = sections
        let chords = Harmony.chords(of: sections, recipe: recipe) + [Chord(root: 0)]
        bars = sections.flatMap { section in
            (section.firstBar..<section.end).map {
                Bar(index: $0, start: $0 * layout.barTicks, section: section, chord: chords[$0], next: chords[$0 + 1])
            }
        }
    }

    /// Whether the part plays in the section. Lead and chords always can; what a melody does in an intro it decides itself.
    func has(_ role: PartRole, in section: Section) -> Bool {
        guard recipe[role] != nil else { return false }
        return section.intensity >= role.threshold
    }

    /// The notes that the role's instrument plays well, in the register of the role.
    func register(_ role: PartRole) -> ClosedRange<Int> {
        guard let program = recipe[role], let instrument = Instrument.of(program) else { return role.register }
        let low = max(role.register.lowerBound, instrument.range.lowerBound)
        let high = min(role.register.upperBound, instrument.range.upperBound)
        // An instrument that hardly reaches the role's register is written in its own.
        return high - low >= 16 ? low...high : instrument.range
    }

    /// Loudness of a note in a section, before accents.
    func velocity(_ section: Section, _ role: PartRole) -> Int {
        let base = 46 + section.intensity * 46 / 100
        switch role {
        case .lead: return base + 10
        case .second, .bass: return base
        case .drums: return base + 2
        case .chords: return base - 6
        case .arpeggio, .colour: return base - 10
        case .pad: return base - 12
        }
    }

    /// The tick of a step in a bar. Eighths off the beat come later where the style swings.
    func tick(_ bar: Bar, _ step: Int) -> Int {
        let swing = recipe.style.habits.swing
        let isOff = metre != .sixEight && step % 4 == 2
        return bar.start + step * Metre.step + (isOff ? swing : 0)
    }
}
