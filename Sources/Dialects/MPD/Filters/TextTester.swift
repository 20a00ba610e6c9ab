/// A test of a text, made once for many texts.
///
/// Texts are compared by their bytes, as the original does: letters that look the same may differ. They come as bytes, since a large library has
/// millions of them.
struct TextTester: Sendable {
    let isNegated: Bool
    /// True when the value that is looked for is empty: a song without the tag passes then.
    let isEmpty: Bool
    private let test: Test

    private enum Test {
        case equals([UInt8])
        case startsWith([UInt8])
        case contains([UInt8])
        case matches(Pattern)
    }

    private let folds: Bool

    init(_ test: TextTest) throws(Ack) {
        isNegated = test.isNegated
        isEmpty = test.value.isEmpty
        folds = test.foldsCase
        let value = Array((test.foldsCase ? test.value.lowercased() : test.value).utf8)
        switch test.relation {
        case .equals: self.test = .equals(value)
        case .startsWith: self.test = .startsWith(value)
        case .contains: self.test = .contains(value)
        case .matches: self.test = .matches(try Pattern(test.value, foldsCase: test.foldsCase))
        }
    }

    /// Whether a text passes, without regard to `isNegated`.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        switch test {
        case .matches(let pattern): pattern.matches(text)
        case .equals(let value) where !folds: text.elementsEqual(value)
        case .startsWith(let value) where !folds: text.starts(with: value)
        case .contains(let value) where !folds: Self.contains(value, in: text)
        case .equals(let value): Self.folded(text).elementsEqual(value)
        case .startsWith(let value): Self.folded(text).starts(with: value)
        case .contains(let value): Self.contains(value, in: Self.folded(text))
        }
    }

    /// The text in small letters. Most texts have none but those of ASCII, for which no string is made.
    private static func folded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if text.contains(where: { $0 >= 0x80 }) { return Array(String(decoding: text, as: UTF8.self).lowercased().utf8)[...] }
        guard text.contains(where: { (0x41...0x5A).contains($0) }) else { return text }
        return text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }[...]
    }

    private static func contains(_ part: [UInt8], in whole: ArraySlice<UInt8>) -> Bool {
        guard let first = part.first else { return true }
        var rest = whole
        while rest.count >= part.count, let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
