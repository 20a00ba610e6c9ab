/// Lenient access to members of an answer: server versions differ in writing numbers as text and flags as numbers.
import BatonJSON

extension JSON {
    /// A single line of text: not empty, without control characters, cut to the limit of a row.
    func line(_ name: String, most: Int = 200) -> String? {
        guard let text = self[name]?.string else { return nil }
        return Self.line(text, most: most)
    }

    static func line(_ text: String, most: Int = 200) -> String? {
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

    func flag(_ name: String) -> Bool { self[name]?.bool ?? number(name).map { $0 != 0 } ?? false }

    /// Milliseconds from a number of seconds, which is at most 40 days.
    func milliseconds(_ name: String) -> Int? {
        number(name).flatMap { 0...3_456_000 ~= $0 ? Int($0 * 1_000) : nil }
    }
}
