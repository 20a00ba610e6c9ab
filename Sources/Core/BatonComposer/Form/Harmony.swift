/// The chord of each bar.
///
/// A section repeats a loop of four chords and closes as its role requires: open sections on the dominant, closed ones with dominant and tonic.
/// Developments move down the circle of fifths.
enum Harmony {
    static func chords(of sections: [Section], recipe: Recipe) -> [Chord] {
        var random = TopicRandom(recipe.seed, "harmony")
        let mode = recipe.key.mode
        let home = random.pick(loops(mode))
        let chorus = random.pick(loops(mode).filter { $0 != home })
        let away = random.pick(departures(mode))
        let sevenths = recipe.style.habits.sevenths
        return sections.flatMap { section in
            chords(of: section, home: home, chorus: chorus, away: away, mode: mode).map { chord in
                var chord = chord
                chord.hasSeventh = sevenths
                return chord
            }
        }
    }

    /// The chord before a closing tonic: the fifth degree, or its substitute in the mode.
    static func dominant(_ mode: Key.Mode) -> Chord {
        switch mode {
        case .major, .lydian: Chord(root: 4, isDominant: true)
        case .minor: Chord(root: 4, isDominant: true)
        case .dorian, .mixolydian: Chord(root: 6)
        case .phrygian: Chord(root: 1)
        }
    }

    private static func chords(of section: Section, home: [Int], chorus: [Int], away: [Int], mode: Key.Mode) -> [Chord] {
        let roots: [Int] =
            switch section.role {
            case .intro, .motif, .outro, .resolution: home
            case .chorus: chorus
            case .development: [0, 3, 6, 2, 5, 1, 4, 0]
            case .bridge: away
            }
        var chords = (0..<section.bars).map { Chord(root: roots[$0 % roots.count]) }
        // A theme is recognised best above its tonic, so each phrase of a section with the theme begins there.
        if section.role != .bridge { for bar in stride(from: 0, to: section.bars, by: 4) { chords[bar] = Chord(root: 0) } }
        close(&chords, of: section.role, in: mode)
        return chords
    }

    private static func close(_ chords: inout [Chord], of role: SectionRole, in mode: Key.Mode) {
        let last = chords.count - 1
        guard last > 0 else { return }
        switch role {
        case .intro, .motif, .development, .bridge: chords[last] = dominant(mode)
        case .chorus, .resolution:
            chords[last] = Chord(root: 0)
            if last > 1 { chords[last - 1] = dominant(mode) }
        case .outro:
            // The final tonic comes in the bar after these.
            chords[last] = dominant(mode)
            if last > 1 { chords[last - 1] = Chord(root: mode == .phrygian || mode == .minor ? 3 : 1) }
        }
    }

    private static func loops(_ mode: Key.Mode) -> [[Int]] {
        switch mode {
        case .major: [[0, 4, 5, 3], [0, 5, 3, 4], [0, 3, 1, 4], [0, 2, 3, 4], [0, 3, 0, 4], [0, 5, 1, 4], [0, 1, 3, 4]]
        case .minor: [[0, 5, 2, 6], [0, 3, 6, 2], [0, 5, 3, 4], [0, 6, 5, 6], [0, 3, 5, 4], [0, 2, 5, 3]]
        case .dorian: [[0, 3, 0, 3], [0, 3, 6, 0], [0, 2, 3, 0], [0, 1, 3, 6]]
        case .mixolydian: [[0, 6, 3, 0], [0, 3, 6, 0], [0, 6, 0, 3], [0, 4, 6, 3]]
        case .lydian: [[0, 1, 0, 1], [0, 1, 4, 0], [0, 4, 1, 0], [0, 5, 1, 4]]
        case .phrygian: [[0, 1, 0, 1], [0, 1, 2, 1], [0, 6, 1, 0], [0, 5, 6, 1]]
        }
    }

    /// Loops for bridges, which begin away from the tonic.
    private static func departures(_ mode: Key.Mode) -> [[Int]] {
        switch mode {
        case .major: [[3, 4, 2, 5], [5, 2, 3, 4], [1, 4, 2, 5]]
        case .minor: [[5, 6, 2, 3], [3, 6, 2, 5], [2, 6, 5, 3]]
        case .dorian: [[2, 3, 6, 3], [3, 6, 2, 1]]
        case .mixolydian: [[3, 0, 6, 3], [5, 6, 3, 6]]
        case .lydian: [[1, 4, 5, 1], [5, 1, 4, 1]]
        case .phrygian: [[5, 6, 1, 2], [2, 1, 5, 1]]
        }
    }
}
