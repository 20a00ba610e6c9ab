/// Folders that hold one disc of a book each, such as “CD1”, “Disc 02” and, in German, “Teil 3”. Their files count as
/// files of the parent folder.
enum DiscFolder {
    private static let words = ["cd", "disc", "disk", "teil"]
    private static let separators: Set<Character> = [" ", "-", "_", "."]
    private static let mostDigits = 3

    /// The disc's number; `nil` if the name is not that of a disc.
    static func number(_ name: String) -> Int? {
        let name = name.lowercased()
        guard let word = words.first(where: name.hasPrefix) else { return nil }
        let digits = name.dropFirst(word.count).drop { separators.contains($0) }
        guard (1...mostDigits).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(digits)
    }

    /// Whether a file comes before another one of its book: by disc, then by name. Files outside disc folders come first.
    static func precedes(_ a: String, _ b: String) -> Bool {
        let (disc, other) = (number(ofFile: a) ?? 0, number(ofFile: b) ?? 0)
        return disc == other ? NaturalOrder.precedes(a, b) : disc < other
    }

    /// The disc number of a file, from its path inside the book's folder.
    static func number(ofFile path: String) -> Int? { path.firstIndex(of: "/").flatMap { number(String(path[..<$0])) } }
}
