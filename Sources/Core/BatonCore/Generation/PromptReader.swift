/// Reads a `PromptLine` from text.
///
/// Words are separated by spaces. A word that begins with `/` and a letter is a command. Commands may stand anywhere; all words that belong to no
/// command form the prompt.
extension PromptLine {
    /// Reads a line with its commands, settings and faults.
    public static func read(_ text: String, _ bounds: PromptBounds = .own) -> PromptLine {
        var reader = PromptReader(text, bounds)
        return reader.read()
    }
}

private struct PromptReader {
    private struct Word {
        var from: Int
        var to: Int
        var text: String
    }

    private let bounds: PromptBounds
    private let length: Int
    private let words: [Word]
    private var next = 0
    private var line = PromptLine()
    private var rest: [Word] = []
    /// The command that decides the action of the line; a line has at most one.
    private var verb: Word?
    private var given: Set<String> = []

    init(_ text: String, _ bounds: PromptBounds) {
        self.bounds = bounds
        var words: [Word] = []
        var open: Word?
        var place = 0
        for scalar in text.unicodeScalars {
            if scalar == " " {
                if let word = open { words.append(word) }
                open = nil
            } else {
                if open == nil { open = Word(from: place, to: place, text: "") }
                open?.text.unicodeScalars.append(scalar)
                open?.to = place + 1
                if scalar.isControl {
                    line.faults.append(PromptFault(from: place, to: place + 1, "Control characters have no place in a prompt."))
                }
            }
            place += 1
        }
        if let word = open { words.append(word) }
        self.words = words
        length = place
    }

    mutating func read() -> PromptLine {
        while next < words.count {
            let word = words[next]
            next += 1
            if let name = Self.command(word) { take(name, word) } else { rest.append(word) }
        }
        finish()
        line.faults.sort { ($0.from, $0.to) < ($1.from, $1.to) }
        return line
    }

    private static func command(_ word: Word) -> String? {
        let scalars = word.text.unicodeScalars
        guard scalars.first == "/", let second = scalars.dropFirst().first, second.properties.isAlphabetic else { return nil }
        return String(word.text.dropFirst()).lowercased()
    }

    // MARK: Commands

    private mutating func take(_ name: String, _ word: Word) {
        switch name {
        case "duration", "model", "cfg", "seed": setting(name, word)
        case "musicgen": model("musicgen-stereo-medium", word)
        case "small", "medium", "large": model("musicgen-stereo-\(name)", word)
        case "motif":
            line.mode = .motif
            setVerb(word, .make)
        case "clip":
            line.mode = .clip
            setVerb(word, .make)
            layer(after: word)
        case _ where PromptLine.Layer(rawValue: name) != nil:
            line.mode = .clip
            line.layer = PromptLine.Layer(rawValue: name)
            setVerb(word, .make)
        case "reset", "show", "help", "session": setVerb(word, PromptLine.Action(rawValue: name) ?? .help)
        case "scene": scene(word)
        default: fault(from: word, to: word, "There is no command “\(word.text)”. /help lists them.")
        }
    }

    private mutating func setVerb(_ word: Word, _ action: PromptLine.Action) {
        if let verb { return fault(from: word, to: word, "\(word.text) and \(verb.text) do not go together.") }
        verb = word
        line.action = action
    }

    private mutating func setting(_ name: String, _ word: Word) {
        guard let value = operand else { return fault(from: word, to: word, "\(word.text) needs \(wanted(name)).") }
        guard given.insert(name).inserted else { return fault(from: word, to: value, "\(word.text) is given twice.") }
        let text = value.text
        let isOff = text.lowercased() == PromptSettings.off
        switch name {
        case "duration":
            line.settings.durationS = Self.whole(text).flatMap { Int(exactly: $0) }.flatMap { bounds.durationS.contains($0) ? $0 : nil }
            if line.settings.durationS == nil { refuse(name, named: word, value: value) }
        case "model":
            // Ids of models are at most this long and have only these characters.
            line.settings.model = text.utf8.count <= 128 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : nil
            if line.settings.model == nil { refuse(name, named: word, value: value) }
        case "cfg":
            line.settings.cfg = isOff ? PromptSettings.off : Self.decimal(text)
            if line.settings.cfg == nil { refuse(name, named: word, value: value) }
        default:
            line.settings.seed = isOff ? PromptSettings.off : Self.whole(text).map { String($0) }
            if line.settings.seed == nil { refuse(name, named: word, value: value) }
        }
    }

    private mutating func model(_ id: String, _ word: Word) {
        guard given.insert("model").inserted else { return fault(from: word, to: word, "\(word.text) names a second model.") }
        line.settings.model = id
    }

    private mutating func layer(after word: Word) {
        let names = PromptLine.Layer.allCases.map(\.rawValue).joined(separator: ", ")
        guard let value = operand else { return fault(from: word, to: word, "\(word.text) needs a layer: \(names).") }
        line.layer = PromptLine.Layer(rawValue: value.text.lowercased())
        if line.layer == nil { fault(from: word, to: value, "“\(value.text)” is no layer. There are \(names).") }
    }

    private mutating func scene(_ word: Word) {
        setVerb(word, .scene)
        guard let what = operand, what.text.lowercased() == "rename" else {
            return fault(from: word, to: word, "\(word.text) can rename: /scene rename 2 Chorus.")
        }
        guard let number = operand, let scene = Self.whole(number.text), (1...3).contains(scene) else {
            return fault(from: word, to: what, "\(word.text) rename needs the number of a scene, 1 to 3.")
        }
        line.scene = Int(scene)
    }

    /// The next word, unless it is a command.
    private var operand: Word? {
        mutating get {
            guard next < words.count, Self.command(words[next]) == nil else { return nil }
            next += 1
            return words[next - 1]
        }
    }

    // MARK: Values

    private func wanted(_ name: String) -> String {
        switch name {
        case "duration": "seconds from \(bounds.durationS.lowerBound) to \(bounds.durationS.upperBound)"
        case "model": "the id of a model"
        case "cfg": "a number from 0 to 20, or off"
        default: "a whole number, or off"
        }
    }

    private mutating func refuse(_ name: String, named word: Word, value: Word) {
        fault(from: word, to: value, "\(word.text) “\(value.text)”: expected \(wanted(name)).")
    }

    /// The number, if the text has only digits and fits 64 bits.
    private static func whole(_ text: String) -> UInt64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
    }

    /// A number from 0 to 20 with at most three decimals, in its shortest spelling.
    private static func decimal(_ text: String) -> String? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, !first.isEmpty, let whole = whole(String(first)), whole <= 20 else { return nil }
        guard parts.count == 2 else { return String(whole) }
        guard (1...3).contains(parts[1].utf8.count), Self.whole(String(parts[1])) != nil else { return nil }
        var decimals = String(parts[1])
        while decimals.hasSuffix("0") { decimals.removeLast() }
        if decimals.isEmpty { return String(whole) }
        return whole == 20 ? nil : "\(whole).\(decimals)"
    }

    // MARK: The whole line

    private mutating func finish() {
        line.prompt = rest.map(\.text).joined(separator: " ")
        let count = line.prompt.unicodeScalars.count
        if count > PromptBounds.promptLength {
            fault(rest, "A prompt has at most \(PromptBounds.promptLength) characters, and this one has \(count).")
        }
        if verb == nil, rest.isEmpty, !given.isEmpty { line.action = .settings }
        switch line.action {
        case .make where rest.isEmpty && line.mode != .clip: missing("Describe the music that is to be made.")
        case .scene where rest.isEmpty: missing("Give the scene a name: /scene rename 2 Chorus.")
        case .reset, .show, .help: if let first = rest.first { fault(rest, "\(verb?.text ?? first.text) stands alone.") }
        default: break
        }
    }

    private mutating func missing(_ sentence: String) {
        // A fault that was found already is more specific.
        if line.faults.isEmpty { line.faults.append(PromptFault(from: 0, to: length, sentence)) }
    }

    private mutating func fault(from first: Word, to last: Word, _ sentence: String) {
        line.faults.append(PromptFault(from: first.from, to: last.to, sentence))
    }

    private mutating func fault(_ words: [Word], _ sentence: String) {
        guard let first = words.first, let last = words.last else { return }
        fault(from: first, to: last, sentence)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
