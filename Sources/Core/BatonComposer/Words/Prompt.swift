/// Makes a recipe from a prompt.
package enum Prompt {
    package static let longest = 512

    /// Named values come from the words, others from the style's habits, and the seed decides the rest.
    package static func recipe(_ prompt: String, seed: UInt64?, seconds: Int) -> Recipe {
        let words = PromptWords(prompt)
        let seed = TopicRandom.mix(seed ?? Self.seed(of: prompt), words.seed)
        var random = TopicRandom(seed, "recipe")
        let style = style(words, &random)
        let habits = style.habits
        let energy = sum(from: habits.energy, of: words) { if case .energy(let points) = $0 { points } else { nil } }
        let brightness = sum(from: habits.brightness, of: words) { if case .brightness(let points) = $0 { points } else { nil } }
        let key = key(words, habits: habits, brightness: brightness, random: &random)
        let metre = words.metre ?? last(words) { if case .metre(let metre) = $0 { metre } else { nil } } ?? usualMetre(style, &random)
        let tempo = tempo(words, habits: habits, energy: energy, in: metre, random: &random)
        let form = last(words) { if case .form(let form) = $0 { form } else { nil } } ?? random.pick(habits.forms)
        let programs = Ensemble(words, habits: habits, energy: energy, random: &random).programs
        let motif = Motif.made(of: random.seed(), metre: metre, energy: energy)
        return Recipe(
            seed: seed, seconds: seconds, tempo: tempo, key: key, metre: metre, energy: energy, brightness: brightness, style: style,
            form: form, programs: programs, motif: motif
        ).fitted(tempoWithin: words.tempo == nil ? 4 : 0)
    }

    /// The seed for a prompt without one, so that the same words give the same piece.
    package static func seed(of prompt: String) -> UInt64 { TopicRandom.hash(PromptWords.words(of: prompt).joined(separator: " ").utf8) }

    private static func style(_ words: PromptWords, _ random: inout TopicRandom) -> Style {
        let usual = random.pick([Style.classical, .folk, .pop, .ambient, .lofi, .cinematic, .jazz])
        return last(words) { if case .style(let style) = $0 { style } else { nil } } ?? usual
    }

    private static func key(_ words: PromptWords, habits: Style.Habits, brightness: Int, random: inout TopicRandom) -> Key {
        let tonic = random.below(12)
        if let key = words.key { return key }
        if let mode = last(words, { if case .mode(let mode) = $0 { mode } else { nil } }) { return Key(tonic, mode) }
        // Dark pieces use a minor mode of the style, bright ones a major mode.
        let fitting = habits.modes.filter { brightness < 40 ? $0.isMinor : brightness > 60 ? !$0.isMinor : true }
        return Key(tonic, random.pick(fitting.isEmpty ? habits.modes : fitting))
    }

    private static func usualMetre(_ style: Style, _ random: inout TopicRandom) -> Metre {
        switch style {
        case .classical, .folk: random.pick([.fourFour, .fourFour, .threeFour, .sixEight])
        case .ambient, .cinematic: random.pick([.fourFour, .fourFour, .fourFour, .threeFour])
        case .blues: random.pick([.fourFour, .fourFour, .sixEight])
        default: .fourFour
        }
    }

    private static func tempo(
        _ words: PromptWords, habits: Style.Habits, energy: Int, in metre: Metre, random: inout TopicRandom
    ) -> Int {
        let range = last(words) { if case .tempo(let range) = $0 { range } else { nil } }
        let place = random.below(101)
        if let tempo = words.tempo { return tempo }
        // Unless a word sets the tempo, livelier pieces of a style are in the faster part of its range.
        let chosen = range ?? habits.tempo
        let share = range == nil ? (place + min(100, max(0, 50 + energy - habits.energy))) / 2 : place
        let tempo = chosen.lowerBound + (chosen.count - 1) * share / 100
        // A beat of 6/8 is longer than a quarter. Tempo words count beats, styles count quarters.
        return metre == .sixEight && range == nil ? tempo * 2 / 3 : tempo
    }

    private static func sum(from start: Int, of words: PromptWords, points: (Meaning) -> Int?) -> Int {
        min(100, max(0, words.meanings.compactMap(points).reduce(start, +)))
    }

    /// The value of the last word that has one.
    private static func last<T>(_ words: PromptWords, _ value: (Meaning) -> T?) -> T? { words.meanings.compactMap(value).last }
}
