/// Folders with one disc of a book each, such as “CD1” and “Disc 02”: their files are files of the folder around them.
enum DiscFolder {
    private static let words = ["cd", "disc", "disk"]
    private static let separators: Set<Character> = [" ", "-", "_", "."]
    private static let mostDigits = 3

    /// The number of the disc; `nil` where the name is not that of a disc.
    static func number(_ name: String) -> Int? {
        let name = name.lowercased()
        guard let word = words.first(where: name.hasPrefix) else { return nil }
        let digits = name.dropFirst(word.count).drop { separators.contains($0) }
        guard (1...mostDigits).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(digits)
    }

    /// The number of the disc of a file, by its path in the folder of the book.
    static func number(ofFile path: String) -> Int? { path.firstIndex(of: "/").flatMap { number(String(path[..<$0])) } }
}
