/// A regular expression that is ready to match.
///
/// All ways through the expression are followed at once, letter by letter, so that no expression takes longer than its size times the length of the
/// text, whatever a remote sends. What only backtracking can do, such as references to groups, is refused.
struct Pattern: Sendable {
    /// A step of the program that an expression becomes.
    enum Step: Equatable {
        case letter(Letters)
        /// Both ways are followed.
        case split(Int, Int)
        case jump(Int)
        case assert(Assertion)
        case match
    }

    enum Assertion: Equatable {
        case start, end
        /// The end, or before a line break at the end.
        case lineEnd
        case wordEdge, noWordEdge
    }

    private let steps: [Step]

    init(_ text: String, foldsCase: Bool) throws(Ack) { steps = try PatternReader.steps(of: text, foldsCase: foldsCase) }

    /// True when the expression matches a part of the text.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        var run = Run(steps: steps)
        return run.matches(String(decoding: text, as: UTF8.self).unicodeScalars)
    }

    /// The ways that are followed through one text.
    private struct Run {
        private let steps: [Step]
        private var ways: [Int] = []
        private var next: [Int] = []
        /// For each step the letter at which it was added last, so that none is followed twice.
        private var seen: [Int]
        private var place = 0
        private var stack: [Int] = []

        init(steps: [Step]) {
            self.steps = steps
            seen = Array(repeating: -1, count: steps.count)
        }

        mutating func matches(_ text: String.UnicodeScalarView) -> Bool {
            var before: Unicode.Scalar?
            var index = text.startIndex
            while true {
                let here = index < text.endIndex ? text[index] : nil
                let isLast = here.map { $0 == "\n" && text.index(after: index) == text.endIndex } ?? true
                let around = Around(before: before, here: here, isLast: isLast)
                // A match may begin at each letter. Ways were added without their surroundings, which are known now.
                let waiting = ways + [0]
                ways = []
                for way in waiting where follow(way, around) { return true }
                guard let here else { return false }
                next = []
                for way in ways { if case .letter(let letters) = steps[way], letters.has(here) { next.append(way + 1) } }
                ways = next
                before = here
                index = text.index(after: index)
                place += 1
            }
        }

        /// Adds the letters that can come next on a way. Returns true when the way has ended in a match.
        private mutating func follow(_ start: Int, _ around: Around) -> Bool {
            stack.append(start)
            while let way = stack.popLast() {
                guard seen[way] != place else { continue }
                seen[way] = place
                switch steps[way] {
                case .letter: ways.append(way)
                case .split(let one, let other):
                    stack.append(other)
                    stack.append(one)
                case .jump(let target): stack.append(target)
                case .assert(let assertion): if around.holds(assertion) { stack.append(way + 1) }
                case .match:
                    stack = []
                    return true
                }
            }
            return false
        }
    }

    /// The letters on both sides of a place.
    private struct Around {
        var before: Unicode.Scalar?
        var here: Unicode.Scalar?
        /// True at the end, and before a line break there.
        var isLast: Bool

        func holds(_ assertion: Assertion) -> Bool {
            switch assertion {
            case .start: before == nil
            case .end: here == nil
            case .lineEnd: isLast
            case .wordEdge: isEdge
            case .noWordEdge: !isEdge
            }
        }

        private var isEdge: Bool { (before.map(Letters.word.has) ?? false) != (here.map(Letters.word.has) ?? false) }
    }
}

/// A set of letters.
struct Letters: Equatable, Sendable {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    /// Sets within the set, such as `\D`.
    var parts: [Letters] = []
    var isNegated = false
    var foldsCase = false

    static let all = Letters(isNegated: true)
    static let digit = Letters(ranges: ["0"..."9"])
    static let word = Letters(ranges: ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"])
    static let space = Letters(ranges: ["\t"..."\r", " "..." "])

    var negated: Letters {
        var letters = self
        letters.isNegated.toggle()
        return letters
    }

    func has(_ letter: Unicode.Scalar) -> Bool { (contains(letter) || foldsCase && containsOtherCase(of: letter)) != isNegated }

    private func contains(_ letter: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(letter) } || parts.contains { $0.has(letter) }
    }

    private func containsOtherCase(of letter: Unicode.Scalar) -> Bool {
        let small = letter.properties.lowercaseMapping.unicodeScalars
        let large = letter.properties.uppercaseMapping.unicodeScalars
        if small.count == 1, let small = small.first, small != letter, contains(small) { return true }
        if large.count == 1, let large = large.first, large != letter, contains(large) { return true }
        return false
    }
}
