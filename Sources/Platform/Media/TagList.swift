import BatonReading

/// The tags of a file by uniform names, whatever program wrote them.
///
/// File formats have different names for the same tag. libavformat unifies most of them; the tables here contain the rest. If a name occurs
/// twice the first one wins: the file's own tag before that of its sound.
struct TagList {
    private var values: [String: [UInt8]] = [:]

    init(_ tags: [FileFacts.Tag]) {
        values.reserveCapacity(tags.count)
        for tag in tags {
            let name = Self.plain(tag.name)
            if values[name] == nil { values[name] = tag.value }
        }
    }

    /// Names without case, spaces and dashes, in which programs differ.
    static func plain(_ name: [UInt8]) -> String {
        String(
            decoding: name.lazy.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                case UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"): nil
                default: byte
                }
            }, as: UTF8.self)
    }

    /// The first of these tags that is not empty.
    func text(_ names: String...) -> String {
        for name in names {
            guard let value = values[name] else { continue }
            let text = TextCleaning.line(value)
            if !text.isEmpty { return text }
        }
        return ""
    }

    /// A text of several lines, with one of these names or a name that begins like `beginning`.
    func lines(_ names: [String], beginning: String? = nil) -> String? {
        let value =
            names.lazy.compactMap { values[$0] }.first
            ?? beginning.flatMap { beginning in values.filter { $0.key.hasPrefix(beginning) }.min { $0.key < $1.key }?.value }
        return value.map(TextCleaning.lines)
    }

    /// Several names in one tag: programs separate them by semicolons, or by a slash with spaces around it. “AC/DC” is one name, and so is
    /// “Earth, Wind & Fire”.
    func list(_ names: String...) -> [String] {
        for name in names {
            guard let value = values[name] else { continue }
            let list = Self.pieces(TextCleaning.line(value))
            if !list.isEmpty { return list }
        }
        return []
    }

    private static func pieces(_ text: String) -> [String] {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "/") }) else { return text.isEmpty ? [] : [text] }
        var pieces: [String] = []
        for part in text.split(separator: ";").flatMap({ $0.split(separator: " / ") }) {
            let piece = TextCleaning.trimmed(part)
            if !piece.isEmpty, !pieces.contains(piece), pieces.count < most { pieces.append(piece) }
        }
        return pieces
    }

    /// Limit of names, above what any screen shows.
    private static let most = 64

    /// Reads “3/12” as 3.
    func number(_ names: String...) -> Int? {
        for name in names {
            guard let value = values[name] else { continue }
            let digits = TextCleaning.line(value).prefix { $0.isASCII && $0.isNumber }
            if let number = Int(digits), (1...99_999).contains(number) { return number }
        }
        return nil
    }

    /// The first four digits in a row.
    func year(_ names: String...) -> Int? {
        for name in names {
            guard let value = values[name] else { continue }
            let runs = value.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            // “19990412” is a date too.
            guard let run = runs.first(where: { $0.count == 4 || $0.count == 8 }) else { continue }
            if let year = Int(String(decoding: run.prefix(4), as: UTF8.self)), (1_000...9_999).contains(year) { return year }
        }
        return nil
    }

    func isSet(_ names: String...) -> Bool {
        names.contains { name in
            guard let value = values[name] else { return false }
            return ["1", "true", "yes"].contains(TextCleaning.line(value).lowercased())
        }
    }

    /// Reads “-7.03 dB” as a whole number, in units of 1/`parts`.
    func figure(_ name: String, parts: Int) -> Int? {
        guard let value = values[name] else { return nil }
        let text = String(TextCleaning.line(value).map { $0 == "," ? "." : $0 }).drop { $0 == "+" || $0 == " " }
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
        guard let figure = Double(number), figure.magnitude < 1_000 else { return nil }
        return Int((figure * Double(parts)).rounded())
    }
}
