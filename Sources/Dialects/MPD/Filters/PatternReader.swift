/// Reads a regular expression as Perl writes it, and makes its program.
struct PatternReader {
    /// Limit on the program, since each letter of a text may cost this many steps.
    private static let mostSteps = 2_000
    /// Limit on nested groups, since each takes a part of the stack.
    private static let mostDepth = 100

    private let letters: [Unicode.Scalar]
    private var place = 0
    private var foldsCase: Bool
    private var depth = 0

    static func steps(of text: String, foldsCase: Bool) throws(Ack) -> [Pattern.Step] {
        var reader = PatternReader(letters: Array(text.unicodeScalars), foldsCase: foldsCase)
        reader.takeOptions()
        let steps = try reader.alternatives()
        if reader.peek == ")" { throw reader.fault("unmatched closing parenthesis") }
        return steps + [.match]
    }

    private init(letters: [Unicode.Scalar], foldsCase: Bool) {
        self.letters = letters
        self.foldsCase = foldsCase
    }

    // MARK: Expressions

    private mutating func alternatives() throws(Ack) -> [Pattern.Step] {
        var all = try sequence()
        while take("|") {
            let other = try sequence()
            // Places within a part are relative to it, so it can be moved.
            all =
                [.split(1, all.count + 2)] + Self.moved(all, by: 1) + [.jump(all.count + 2 + other.count)]
                + Self.moved(other, by: all.count + 2)
            try check(all)
        }
        return all
    }

    private mutating func sequence() throws(Ack) -> [Pattern.Step] {
        var all: [Pattern.Step] = []
        while let next = peek, next != "|", next != ")" {
            let part = try repeated()
            all += Self.moved(part, by: all.count)
            try check(all)
        }
        return all
    }

    private mutating func repeated() throws(Ack) -> [Pattern.Step] {
        let part = try atom()
        var all = part
        while let (least, most) = try quantifier() {
            let once = all
            all = []
            for _ in 0..<least {
                all += Self.moved(once, by: all.count)
                try check(all)
            }
            if let most {
                for _ in least..<most {
                    all += [.split(all.count + 1, all.count + 1 + once.count)] + Self.moved(once, by: all.count + 1)
                    try check(all)
                }
            } else {
                let start = all.count
                all += [.split(start + 1, start + 2 + once.count)] + Self.moved(once, by: start + 1) + [.jump(start)]
            }
        }
        return all
    }

    private func check(_ steps: [Pattern.Step]) throws(Ack) {
        guard steps.count <= Self.mostSteps else { throw fault("regular expression is too large") }
    }

    private static func moved(_ steps: [Pattern.Step], by distance: Int) -> [Pattern.Step] {
        steps.map { step in
            switch step {
            case .split(let one, let other): .split(one + distance, other + distance)
            case .jump(let target): .jump(target + distance)
            default: step
            }
        }
    }

    /// The least and the most number of times; the most is `nil` without a limit.
    private mutating func quantifier() throws(Ack) -> (Int, Int?)? {
        let bounds: (Int, Int?)
        switch peek {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            guard let counted = try counts() else { return nil }
            bounds = counted
            place -= 1
        default: return nil
        }
        place += 1
        // Which of several matches is found does not matter here.
        if !take("?"), peek == "+" { throw fault("possessive quantifiers are not supported") }
        return bounds
    }

    /// Reads `{2}`, `{2,}` or `{2,5}`. Another brace is a letter.
    private mutating func counts() throws(Ack) -> (Int, Int?)? {
        let start = place
        place += 1
        if let least = number() {
            if take("}") { return try bounds(least, least) }
            if take(",") {
                if take("}") { return try bounds(least, nil) }
                if let most = number(), take("}") { return try bounds(least, most) }
            }
        }
        place = start
        return nil
    }

    private func bounds(_ least: Int, _ most: Int?) throws(Ack) -> (Int, Int?) {
        guard max(least, most ?? 0) <= Self.mostSteps else { throw fault("number too big in {} quantifier") }
        guard least <= most ?? least else { throw fault("numbers out of order in {} quantifier") }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek, ("0"..."9").contains(digit) {
            value = min((value ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
            place += 1
        }
        return value
    }

    // MARK: Single letters

    private mutating func atom() throws(Ack) -> [Pattern.Step] {
        guard let letter = peek else { return [] }
        switch letter {
        case "(": return try group()
        case "*", "+", "?": throw fault("quantifier does not follow a repeatable item")
        default: break
        }
        if letter == "{", try counts() != nil { throw fault("quantifier does not follow a repeatable item") }
        place += 1
        switch letter {
        case "^": return [.assert(.start)]
        case "$": return [.assert(.lineEnd)]
        case ".": return [.letter(.all)]
        case "[": return [.letter(try set())]
        case "\\": return [try escaped()]
        default: return [.letter(one(letter))]
        }
    }

    private mutating func group() throws(Ack) -> [Pattern.Step] {
        place += 1
        depth += 1
        guard depth <= Self.mostDepth else { throw fault("parentheses are too deeply nested") }
        if take("?"), !take(":") { throw fault("unrecognized character after (? or (?-") }
        let inner = try alternatives()
        guard take(")") else { throw fault("missing closing parenthesis") }
        depth -= 1
        return inner
    }

    /// Reads `(?i)` at the beginning.
    private mutating func takeOptions() {
        guard letters.starts(with: "(?i)".unicodeScalars) else { return }
        foldsCase = true
        place = 4
    }

    private mutating func escaped() throws(Ack) -> Pattern.Step {
        guard let letter = peek else { throw fault("\\ at end of pattern") }
        switch letter {
        case "b": return assertion(.wordEdge)
        case "B": return assertion(.noWordEdge)
        case "A": return assertion(.start)
        case "z": return assertion(.end)
        case "Z": return assertion(.lineEnd)
        default: break
        }
        return .letter(try escapedLetters())
    }

    private mutating func assertion(_ assertion: Pattern.Assertion) -> Pattern.Step {
        place += 1
        return .assert(assertion)
    }

    /// The letters of an escape that may stand within a set, too.
    private mutating func escapedLetters() throws(Ack) -> Letters {
        guard let letter = peek else { throw fault("\\ at end of pattern") }
        place += 1
        switch letter {
        case "d": return .digit
        case "D": return Letters.digit.negated
        case "w": return .word
        case "W": return Letters.word.negated
        case "s": return .space
        case "S": return Letters.space.negated
        case "t": return one("\t")
        case "n": return one("\n")
        case "r": return one("\r")
        case "f": return one("\u{0C}")
        case "e": return one("\u{1B}")
        case "x": return one(try hexadecimal())
        case "a"..."z", "A"..."Z", "0"..."9": throw fault("unrecognized character follows \\")
        default: return one(letter)
        }
    }

    /// Reads `41` or `{2013}`.
    private mutating func hexadecimal() throws(Ack) -> Unicode.Scalar {
        let isLong = take("{")
        var value: UInt32 = 0
        var count = 0
        while count < (isLong ? 6 : 2), let letter = peek, let digit = Character(letter).hexDigitValue {
            value = value * 16 + UInt32(digit)
            count += 1
            place += 1
        }
        guard !isLong || take("}"), let letter = Unicode.Scalar(value) else {
            throw fault("character code point value in \\x{} is too large")
        }
        return letter
    }

    private func one(_ letter: Unicode.Scalar) -> Letters { Letters(ranges: [letter...letter], foldsCase: foldsCase) }

    // MARK: Sets

    private mutating func set() throws(Ack) -> Letters {
        var set = Letters(foldsCase: foldsCase)
        set.isNegated = take("^")
        var isFirst = true
        while isFirst || peek != "]" {
            isFirst = false
            guard let letter = peek else { throw fault("missing terminating ] for character class") }
            if let named = named() {
                set.parts.append(named)
                continue
            }
            let start = try member(letter)
            // Only a single letter begins a range.
            guard peek == "-", place + 1 < letters.count, letters[place + 1] != "]", let low = start.ranges.first, start.parts.isEmpty,
                low.lowerBound == low.upperBound, start.ranges.count == 1, !start.isNegated
            else {
                set.parts.append(start)
                continue
            }
            place += 1
            guard let next = peek, let high = try member(next).ranges.first, low.lowerBound <= high.upperBound else {
                throw fault("range out of order in character class")
            }
            set.ranges.append(low.lowerBound...high.upperBound)
        }
        place += 1
        return set
    }

    private mutating func member(_ letter: Unicode.Scalar) throws(Ack) -> Letters {
        place += 1
        guard letter == "\\" else { return Letters(ranges: [letter...letter], foldsCase: foldsCase) }
        return try escapedLetters()
    }

    /// Sets with names, such as `[:alpha:]`.
    private static let named: [(name: String, letters: Letters)] = [
        ("[:alpha:]", Letters(ranges: ["A"..."Z", "a"..."z"])), ("[:digit:]", .digit), ("[:space:]", .space), ("[:word:]", .word),
        ("[:alnum:]", Letters(ranges: ["0"..."9", "A"..."Z", "a"..."z"])), ("[:upper:]", Letters(ranges: ["A"..."Z"])),
        ("[:lower:]", Letters(ranges: ["a"..."z"])), ("[:punct:]", Letters(ranges: ["!"..."/", ":"..."@", "["..."`", "{"..."~"])),
    ]

    private mutating func named() -> Letters? {
        guard peek == "[" else { return nil }
        for (name, found) in Self.named where letters[place...].starts(with: name.unicodeScalars) {
            place += name.unicodeScalars.count
            return found
        }
        return nil
    }

    // MARK: Reading

    private var peek: Unicode.Scalar? { place < letters.count ? letters[place] : nil }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard peek == letter else { return false }
        place += 1
        return true
    }

    private func fault(_ sentence: String) -> Ack { Ack(.argument, "Error in regex at offset \(place): \(sentence)") }
}
