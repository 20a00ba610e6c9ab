import BatonCore

/// Guest artists behind `feat.` in the artists or the title of a track. Pure.
enum FeaturedNames {
    /// Splits `Anna feat. Bob & Cid` into Anna, Bob and Cid. A name without `feat.` stays whole, even if it contains `&`.
    static func artists(_ name: String) -> [String] {
        guard let (head, guests) = split(name) else { return [name] }
        return ([head] + names(guests)).filter { !$0.isEmpty }
    }

    /// Guests in a title, as in `Song (feat. Bob)`.
    static func guests(ofTitle title: String) -> [String] { split(title).map { names($0.guests) } ?? [] }

    private static let words = ["feat.", "feat", "ft.", "ft", "featuring"]
    private static let openings: Set<Character> = ["(", "[", "{"]
    private static let closings: Set<Character> = [")", "]", "}"]

    /// The text before `feat.`, and the text behind it up to a closing bracket.
    private static func split(_ text: String) -> (head: String, guests: String)? {
        // Most titles have no such word; this test is cheap.
        guard text.utf8.contains(UInt8(ascii: "f")) || text.utf8.contains(UInt8(ascii: "F")) else { return nil }
        let parts = text.split(separator: " ")
        for (index, part) in parts.enumerated() where index > 0 {
            let word = (openings.contains(part.first ?? " ") ? part.dropFirst() : part).lowercased()
            guard words.contains(word), index + 1 < parts.count else { continue }
            let head = parts[..<index].joined(separator: " ")
            let guests = parts[(index + 1)...].joined(separator: " ").prefix { !closings.contains($0) }
            return (head, String(guests))
        }
        return nil
    }

    /// Splits guests at commas and ampersands.
    private static func names(_ text: String) -> [String] {
        text.split { $0 == "," || $0 == "&" }.map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }
}
