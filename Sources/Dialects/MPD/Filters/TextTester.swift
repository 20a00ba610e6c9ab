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
    /// True when the value that is looked for is of ASCII.
    private let isPlain: Bool

    init(_ test: TextTest) throws(Ack) {
        isNegated = test.isNegated
        isEmpty = test.value.isEmpty
        folds = test.foldsCase
        let value = Array((test.foldsCase ? test.value.lowercased() : test.value).utf8)
        isPlain = value.allSatisfy { $0 < 0x80 }
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
        case .contains(let value): contains(value, inAnyCase: text) ?? Self.contains(value, in: Self.folded(text))
        }
    }

    /// The text in small letters. Most texts have none but those of ASCII, for which no string is made.
    private static func folded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if text.contains(where: { $0 >= 0x80 }) { return Array(String(decoding: text, as: UTF8.self).lowercased().utf8)[...] }
        guard text.contains(where: { (0x41...0x5A).contains($0) }) else { return text }
        return text.map(small)[...]
    }

    /// The same for a text in any case, of which no copy is made; `nil` where only a small copy tells.
    private func contains(_ part: [UInt8], inAnyCase whole: ArraySlice<UInt8>) -> Bool? {
        let (part, text) = (part.span, whole.span)
        guard part.count > 0 else { return true }
        if isPlain, text.count >= part.count {
            for start in 0...(text.count - part.count) where Self.small(text[start]) == part[0] {
                var place = 1
                while place < part.count, Self.small(text[start + place]) == part[place] { place += 1 }
                if place == part.count { return true }
            }
        }
        for place in text.indices where text[place] >= 0x80 {
            if !isPlain || Self.hasPlainSmallLetter(text, place) { return nil }
        }
        return false
    }

    /// True for the letters beyond ASCII whose small ones begin with one of ASCII: the sign of kelvin and its neighbours, and the dotted I.
    private static func hasPlainSmallLetter(_ text: Span<UInt8>, _ place: Int) -> Bool {
        guard place + 1 < text.count else { return false }
        return (text[place] == 0xE2 && text[place + 1] == 0x84) || (text[place] == 0xC4 && text[place + 1] == 0xB0)
    }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

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
