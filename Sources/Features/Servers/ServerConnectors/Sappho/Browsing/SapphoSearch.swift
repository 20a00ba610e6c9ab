/// A parsed search for books: words, and names after `author:`, `series:` and `genre:`, in quotes if they have
/// several words. A value.
struct SapphoSearch: Equatable, Sendable {
    enum Filter: String, CaseIterable, Sendable {
        case author, series, genre
    }

    var words: String
    /// Parts of names, by filter.
    var names: [Filter: String] = [:]

    init(_ text: String) {
        var words: [Substring] = []
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0 != " " }) {
            rest = rest[start...]
            if let (filter, name, end) = Self.filter(at: rest) {
                names[filter] = name
                rest = rest[end...]
                continue
            }
            let end = rest.firstIndex(of: " ") ?? rest.endIndex
            words.append(rest[..<end])
            rest = rest[end...]
        }
        self.words = words.joined(separator: " ")
    }

    private static func filter(at text: Substring) -> (Filter, String, Substring.Index)? {
        guard let filter = Filter.allCases.first(where: { text.lowercased().hasPrefix($0.rawValue + ":") }) else { return nil }
        let value = text.dropFirst(filter.rawValue.count + 1)
        let isQuoted = value.hasPrefix("\"")
        let content = isQuoted ? value.dropFirst() : value
        let end = content.firstIndex(of: isQuoted ? "\"" : " ") ?? content.endIndex
        let name = String(content[..<end])
        guard !name.isEmpty else { return nil }
        return (filter, name, isQuoted && end < content.endIndex ? content.index(after: end) : end)
    }

    var isEmpty: Bool { words.isEmpty && names.isEmpty }

    /// Whether a name contains all words of the search.
    func finds(_ name: String) -> Bool {
        let name = name.lowercased()
        return !words.isEmpty && words.lowercased().split(separator: " ").allSatisfy { name.contains($0) }
    }
}
