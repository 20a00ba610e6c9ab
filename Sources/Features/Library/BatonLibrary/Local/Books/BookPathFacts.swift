/// Facts about a book that its folders give: `Author/Series/NN - Title` below the library folder.
///
/// A value. These are guesses, so the files' tags take precedence.
struct BookPathFacts: Equatable, Sendable {
    var author = ""
    var series = ""
    var number = ""
    var title = ""

    /// Longest number of a volume: four digits are a year, which belongs to the title.
    private static let mostDigits = 3
    private static let separators: Set<Character> = ["-", "–", "—", ".", ":"]

    /// Takes the folders between the library folder and the files, outermost first.
    init(_ names: [String]) {
        let names = names.suffix(3)
        title = names.last ?? ""
        if names.count > 1 { author = names.first ?? "" }
        guard names.count == 3 else { return }
        series = names[names.index(after: names.startIndex)]
        guard let (number, rest) = Self.numbered(title) else { return }
        (self.number, title) = (number, rest)
    }

    /// Splits names such as “02 - Title” and “1.5. Title”.
    private static func numbered(_ name: String) -> (number: String, rest: String)? {
        let digits = name.prefix { $0.isASCII && $0.isNumber }
        guard (1...mostDigits).contains(digits.count) else { return nil }
        var rest = name[digits.endIndex...]
        var number = String(Int(digits) ?? 0)
        if rest.first == "." {
            let part = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            if !part.isEmpty { (number, rest) = ("\(number).\(part)", rest[part.endIndex...]) }
        }
        rest = rest.drop { $0 == " " }
        guard let sign = rest.first, separators.contains(sign) else { return nil }
        let title = rest.dropFirst().drop { $0 == " " }
        return title.isEmpty ? nil : (number, String(title))
    }
}
