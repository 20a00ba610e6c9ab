/// The arguments of a command, parsed with a list of options.
///
/// Supported are `--name value`, `--name=value`, `-n value`, switches, `--no-name` for switches that may be turned off, and `--` before
/// words that only look like options. A word such as `-15` is not an option, since people skip and turn down with it.
package struct Arguments: Equatable, Sendable {
    /// Options and words in their order.
    package private(set) var given: [Given] = []
    package private(set) var words: [String] = []

    package struct Given: Equatable, Sendable {
        package var option: String
        package var value: String
    }

    package struct Option: Sendable {
        package enum Shape: Equatable, Sendable {
            case flag
            /// A flag that may also be given as `--no-…`.
            case yesOrNo
            /// An option with a value; the text is the value's name in the help.
            case value(String)
            /// A flag with an optional whole number, as in `--play 3`.
            case number
            /// A flag with an optional word from this list, as in `--follow motif`.
            case word([String])
        }

        package var name: String
        package var short: Character?
        package var shape: Shape
        package var help: String

        package init(_ name: String, short: Character? = nil, _ shape: Shape, help: String) {
            self.name = name
            self.short = short
            self.shape = shape
            self.help = help
        }
    }

    /// A sentence about the first invalid argument.
    package struct Fault: Error, Equatable, Sendable {
        package var sentence: String

        package init(_ sentence: String) { self.sentence = sentence }
    }

    package init() {}

    package init(_ line: [String], options: [Option]) throws(Fault) {
        var rest = line[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                return
            }
            guard Self.looksLikeOption(word) else {
                words.append(word)
                continue
            }
            try take(word, from: &rest, among: options)
        }
    }

    package func has(_ option: String) -> Bool { self[option].map { $0 != "no" } ?? false }

    /// The effective value, which is the last one.
    package subscript(_ option: String) -> String? { given.last { $0.option == option }?.value }

    package func all(_ option: String) -> [String] { given.filter { $0.option == option }.map(\.value) }

    private mutating func take(_ word: String, from rest: inout ArraySlice<String>, among options: [Option]) throws(Fault) {
        let isLong = word.hasPrefix("--")
        let equals = isLong ? word.firstIndex(of: "=") : nil
        let name = word[..<(equals ?? word.endIndex)].drop { $0 == "-" }
        var value = equals.map { String(word[word.index(after: $0)...]) }

        if isLong, name.hasPrefix("no-"), let option = options.first(where: { $0.name == name.dropFirst(3) && $0.shape == .yesOrNo }) {
            guard value == nil else { throw Fault("--\(name) takes no value. Say --\(name) alone.") }
            return given.append(Given(option: option.name, value: "no"))
        }
        guard let option = options.first(where: { isLong ? $0.name == name : $0.short.map { String($0) == name } ?? false }) else {
            throw unknown(word, named: String(name), isLong: isLong, among: options)
        }
        switch option.shape {
        case .flag:
            guard value == nil else { throw Fault("--\(name) takes no value. Say --\(name) alone.") }
            value = "yes"
        case .yesOrNo: value = value ?? "yes"
        case .number:
            if value == nil, let next = rest.first, Int(next) != nil, !next.hasPrefix("-") { value = rest.popFirst() }
            guard value.map({ Int($0) != nil }) ?? true else { throw Fault("--\(name) takes a number, or nothing.") }
        case .word(let words):
            if value == nil, let next = rest.first, words.contains(next) { value = rest.popFirst() }
            guard value.map(words.contains) ?? true else { throw Fault("--\(name) takes \(words.joined(separator: " or ")).") }
            value = value ?? "yes"
        case .value(let placeholder):
            value = value ?? rest.popFirst()
            if value == nil { throw Fault("--\(option.name) needs a value: --\(option.name) \(placeholder).") }
        }
        given.append(Given(option: option.name, value: value ?? ""))
    }

    private func unknown(_ word: String, named name: String, isLong: Bool, among options: [Option]) -> Fault {
        let names = options.flatMap { $0.shape == .yesOrNo ? [$0.name, "no-" + $0.name] : [$0.name] }
        // A flag that cannot be turned off is still suggested.
        let meant = name.hasPrefix("no-") ? [name, String(name.dropFirst(3))] : [name]
        let nearest = isLong ? meant.lazy.compactMap { Spelling.nearest(to: $0, among: names) }.first : nil
        let advice =
            switch nearest {
            case let known?: "Did you mean --\(known)?"
            case nil where isLong || name.count == 1: "--help lists them all."
            case nil: "Before a word that begins with a dash, write --."
            }
        return Fault("There is no option \(word.prefix { $0 != "=" }). \(advice)")
    }

    private static func looksLikeOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        return !("0"..."9" ~= second || second == ".")
    }
}

extension Arguments {
    /// One line for each option, with aligned explanations.
    package static func help(_ options: [Option]) -> String {
        let left = options.map { option in
            let short = option.short.map { "-\($0), " } ?? ""
            return switch option.shape {
            case .flag: "  \(short)--\(option.name)"
            case .yesOrNo: "  \(short)--[no-]\(option.name)"
            case .number: "  \(short)--\(option.name) [N]"
            case .word(let words): "  \(short)--\(option.name) [\(words.joined(separator: "|"))]"
            case .value(let placeholder): "  \(short)--\(option.name) \(placeholder)"
            }
        }
        let column = min(left.map(\.count).max() ?? 0, 24) + 2
        let margin = "\n" + String(repeating: " ", count: column)
        return zip(left, options).map { usage, option in
            let gap = usage.count < column ? String(repeating: " ", count: column - usage.count) : margin
            return usage + gap + lines(of: option.help, width: 80 - column).joined(separator: margin)
        }.joined(separator: "\n")
    }

    private static func lines(of text: String, width: Int) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}

/// Suggestions for misspelt words.
package enum Spelling {
    /// The candidate with the fewest edits, if they are few for its length.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let measured = candidates.map { (name: $0, distance: distance(word, $0)) }
        guard let best = measured.min(by: { $0.distance < $1.distance }) else { return nil }
        if best.distance <= max(1, best.name.count / 3) { return best.name }
        // A common beginning counts too.
        return word.count < 3 ? nil : candidates.first { $0.hasPrefix(word) || word.hasPrefix($0) }
    }

    /// Edit distance: insertions, deletions, replacements, and swaps of neighbours.
    static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a), Array(b))
        var before: [Int] = []
        var row = Array(0...b.count)
        for i in a.indices {
            var next = [i + 1]
            for j in b.indices {
                var fewest = min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { fewest = min(fewest, before[j - 1] + 1) }
                next.append(fewest)
            }
            (before, row) = (row, next)
        }
        return row[b.count]
    }
}
