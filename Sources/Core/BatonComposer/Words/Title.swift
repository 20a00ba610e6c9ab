/// Titles of generated pieces.
package enum Title {
    private static let longest = 60
    private static let small: Set<String> = [
        "a", "an", "and", "at", "by", "for", "from", "in", "into", "like", "music", "my", "no", "of", "on", "or", "piece", "some", "song",
        "the",
        "to", "track", "tune", "with", "without", "bpm",
    ]

    /// The title of a score. A loop has the title of its piece and its layer.
    package static func of(_ score: Score, _ prompt: String) -> String {
        let title = prompt.isEmpty ? of(score.recipe) : of(prompt, score.recipe)
        return score.clip.map { "\(title) (\($0.layer.rawValue))" } ?? title
    }

    /// The words of the prompt without small words and instruments: “slow piano for rain” becomes “Slow Rain”.
    package static func of(_ prompt: String, _ recipe: Recipe) -> String {
        let words = PromptWords.words(of: prompt).filter { !small.contains($0) && !isNumber($0) }
        let telling = words.filter { word in
            guard let meanings = WordTable.meanings[word] else { return true }
            return !meanings.contains { if case .instrument = $0 { true } else { $0 == .solo } }
        }
        let chosen = (telling.isEmpty ? words : telling).prefix(3)
        guard !chosen.isEmpty else { return of(recipe) }
        return String(chosen.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ").prefix(longest))
    }

    /// A title from the recipe alone.
    package static func of(_ recipe: Recipe) -> String {
        var random = TopicRandom(recipe.seed, "title")
        let manners =
            recipe.brightness < 40
            ? ["Grey", "Silent", "Hidden", "Late", "Distant", "Heavy"]
            : recipe.energy > 60
                ? ["Bright", "Restless", "Open", "Quick", "Golden", "Electric"] : ["Soft", "Slow", "Early", "Clear", "Green", "Wide"]
        let things = [
            "Harbour", "Window", "Street", "River", "Garden", "Signal", "Lantern", "Field", "Station", "Tide", "Orchard", "Bridge",
        ]
        return "\(random.pick(manners)) \(random.pick(things))"
    }

    private static func isNumber(_ word: String) -> Bool { word.allSatisfy { $0.isNumber || $0 == "/" } }
}
