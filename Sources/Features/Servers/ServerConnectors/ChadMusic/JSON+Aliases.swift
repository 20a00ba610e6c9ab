/// Members of an answer under several names, with the different forms in which servers write a value.
import BatonJSON

extension JSON {
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

    /// A number, also from text such as `3` or `3/12`, or from the length of a list.
    func number(_ names: String...) -> Int? {
        names.lazy.compactMap { name in
            switch self[name] {
            case .int(let number)?: Int(exactly: number)
            case .double(let number)?: Int(number)
            case .string(let text)?: text.prefix { $0 != "/" }.isEmpty ? nil : Int(text.prefix { $0 != "/" })
            case .array(let list)?: list.count
            default: nil
            }
        }.first { (0...Self.mostNumber).contains($0) }
    }

    private static var mostNumber: Int { 1 << 40 }

    /// A year from a number, or from the beginning of a date.
    func year(_ name: String) -> Int? {
        guard let text = self[name]?.plainText, let year = Int(text.prefix(4)), (1...9999).contains(year) else { return nil }
        return year
    }

    /// Milliseconds from a number of seconds, or from text such as `4:01`.
    func milliseconds(_ name: String) -> Int? {
        let seconds: Double?
        switch self[name] {
        case .int(let number)?: seconds = Double(number)
        case .double(let number)?: seconds = number
        case .string(let text)?: seconds = Self.seconds(text)
        default: seconds = nil
        }
        guard let seconds, (0...Self.mostSeconds).contains(seconds) else { return nil }
        return Int(seconds * 1000)
    }

    /// Limit of a duration: a year.
    private static var mostSeconds: Double { 366 * 86_400 }

    private static func seconds(_ text: String) -> Double? {
        var sum = 0.0
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            guard let number = Double(part), number >= 0, number <= mostSeconds else { return nil }
            sum = sum * 60 + number
        }
        return sum
    }
}
