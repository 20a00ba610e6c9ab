/// Members of an answer, in the forms in which servers and their versions write a value: numbers as text, flags as numbers, one member under
/// several names.
import BatonCore
import BatonJSON

extension JSON {
    // MARK: Text

    /// Text, the digits of a whole number, or the first of a list of texts.
    var plainText: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .int(let number): String(number)
        case .array(let list): list.first?.string
        default: nil
        }
    }

    func text(_ names: String...) -> String? { names.lazy.compactMap { self[$0]?.plainText }.first }

    /// A single line of text: not empty, without control characters, cut to the limit of a row.
    func line(_ name: String, most: Int = 200) -> String? {
        guard let text = self[name]?.string else { return nil }
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
        guard !plain.isEmpty else { return nil }
        return plain.count <= most ? plain : plain.prefix(most - 1) + "…"
    }

    /// Text that may have several lines, such as a description.
    func words(_ name: String, most: Int = 2_000) -> String? {
        guard let text = self[name]?.string else { return nil }
        let plain = text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 || $0 == "\n" }
        let kept = String(String(String.UnicodeScalarView(plain)).prefix(most))
        return kept.isEmpty ? nil : kept
    }

    // MARK: Numbers

    func number(_ name: String) -> Double? {
        let number: Double? =
            switch self[name] {
            case .int(let number)?: Double(number)
            case .double(let number)?: number
            case .string(let text)?: Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number of at least 0, such as an id.
    func whole(_ name: String) -> Int? {
        number(name).flatMap { 0...Self.mostWhole ~= $0 && $0 == $0.rounded() ? Int($0) : nil }
    }

    private static var mostWhole: Double { 9_007_199_254_740_991 }

    /// A number of things, also from text such as `3` or `3/12`, or from the length of a list.
    func count(_ names: String...) -> Int? {
        names.lazy.compactMap { name in
            switch self[name] {
            case .int(let number)?: Int(exactly: number)
            case .double(let number)?: Int(exactly: number.rounded(.towardZero))
            case .string(let text)?: text.prefix { $0 != "/" }.isEmpty ? nil : Int(text.prefix { $0 != "/" })
            case .array(let list)?: list.count
            default: nil
            }
        }.first { (0...Self.mostCount).contains($0) }
    }

    private static var mostCount: Int { 1 << 40 }

    func flag(_ name: String) -> Bool { self[name]?.bool ?? number(name).map { $0 != 0 } ?? false }

    // MARK: Times

    /// A year from a number, or from the beginning of a date.
    func year(_ name: String) -> Int? {
        guard let text = self[name]?.plainText, let year = Int(text.prefix(4)), (1...9999).contains(year) else { return nil }
        return year
    }

    /// Milliseconds from a number of seconds, or from text such as `4:01`.
    func milliseconds(_ name: String, mostDays: Int) -> Milliseconds? {
        let seconds =
            if case .string(let text)? = self[name] { Self.seconds(text, mostDays: mostDays) } else { number(name) }
        guard let seconds, (0...Double(mostDays * 86_400)).contains(seconds) else { return nil }
        return Milliseconds.seconds(seconds)
    }

    private static func seconds(_ text: String, mostDays: Int) -> Double? {
        var sum = 0.0
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            guard let number = Double(part), number >= 0, number <= Double(mostDays * 86_400) else { return nil }
            sum = sum * 60 + number
        }
        return sum
    }
}
