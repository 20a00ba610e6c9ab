/// The decisions before the first note is written: bars, sections, chords.
struct Plan {
    struct Bar {
        var index: Int
        /// The first tick of the bar.
        var start: Int
        var section: Section
        var chord: Chord
        var next: Chord

        /// The index within the section.
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

    /// The tick at which the final chord begins.
    var finalStart: Int { layout.bars * layout.barTicks }
    /// The length of the final chord, which ends a little before the piece.
    var finalLength: Int { max(Metre.step, (layout.ticks - finalStart) * 15 / 16) }
    var finalChord: Chord { Chord(root: 0) }

    init(_ recipe: Recipe) {
        let layout = Layout(recipe)
        self.init(recipe, layout: layout, sections: Form.sections(recipe.form, bars: layout.bars, energy: recipe.energy))
    }

    /// The plan of a loop: it states the motif, ends open, and is intense enough for every part to play.
    init(_ clip: Clip, of recipe: Recipe) {
        let intensity = max(recipe.energy, PartRole.allCases.map(\.threshold).max() ?? 0)
        let section = Section(role: .motif, firstBar: 0, bars: clip.bars, intensity: intensity, turn: 0)
        self.init(clip.layer.completed(recipe), layout: Layout(recipe.metre, bars: clip.bars), sections: [section])
    }

    private init(_ recipe: Recipe, layout: Layout, sections: [Section]) {
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

    /// True when the part plays in the section. Lead and chords may always play; the melody itself is silent in parts of an intro.
    func has(_ role: PartRole, in section: Section) -> Bool {
        guard recipe[role] != nil else { return false }
        return section.intensity >= role.threshold
    }

    /// The notes that the role's instrument can play, in the register of the role.
    func register(_ role: PartRole) -> ClosedRange<Int> {
        guard let program = recipe[role], let instrument = Instrument.of(program) else { return role.register }
        let low = max(role.register.lowerBound, instrument.range.lowerBound)
        let high = min(role.register.upperBound, instrument.range.upperBound)
        // An instrument that hardly reaches the role's register uses its own range.
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

    /// The tick of a step in a bar. Off-beat eighths come later in styles with swing.
    func tick(_ bar: Bar, _ step: Int) -> Int {
        let swing = recipe.style.habits.swing
        let isOff = metre != .sixEight && step % 4 == 2
        return bar.start + step * Metre.step + (isOff ? swing : 0)
    }
}
