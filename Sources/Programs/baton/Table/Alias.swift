import Configuration

/// Other names for verbs, known from other programs.
struct Alias: Sendable {
    let word: String
    let means: [String]

    static let all: [Alias] = [
        Alias("vol", "volume"), Alias("previous", "prev"), Alias("random", "shuffle"), Alias("clear", "queue", "clear"),
        Alias("add", "queue", "add"), Alias("remove", "queue", "remove"), Alias("crop", "queue", "crop"), Alias("load", "queue", "load"),
        Alias("ls", "browse"), Alias("favorites", "browse", "favourites"), Alias("favourites", "browse", "favourites"),
    ]

    private init(_ word: String, _ means: String...) {
        self.word = word
        self.means = means
    }

    /// The words with a leading alias replaced by its meaning.
    static func expanded(_ words: [String]) -> [String] {
        guard let first = words.first, let alias = all.first(where: { $0.word == first }) else { return words }
        return alias.means + words.dropFirst()
    }

    static func of(_ verb: Verb) -> [Alias] { all.filter { $0.means.first == verb.name } }
}
