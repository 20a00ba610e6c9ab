/// The text of a recipe: one line of at most 200 characters, which people exchange and files store.
extension Recipe {
    /// Changes whenever the composer would make another piece from the same values.
    package static let version = "baton1"
    package static let longest = 200

    package var text: String {
        let parts = programs.map { $0.map { String($0) } ?? "-" }.joined(separator: ".")
        return [
            Self.version, "seed=\(seed)", "s=\(seconds)", "bpm=\(tempo)", "key=\(key.code)", "metre=\(metre.rawValue)", "energy=\(energy)",
            "bright=\(brightness)", "style=\(style.rawValue)", "form=\(form.rawValue)", "parts=\(parts)", "motif=\(motif.code)",
        ].joined(separator: " ")
    }

    package init(_ text: String) throws(RecipeFault) {
        guard text.utf8.count <= Self.longest else { throw RecipeFault("A recipe has at most \(Self.longest) characters.") }
        let words = text.split(separator: " ")
        guard words.first.map(String.init) == Self.version else {
            throw RecipeFault("This is no recipe of this version: it would begin with \"\(Self.version)\".")
        }
        var values: [Substring: Substring] = [:]
        for word in words.dropFirst() {
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { throw RecipeFault("\"\(word)\" in the recipe has no value.") }
            guard values.updateValue(sides[1], forKey: sides[0]) == nil else {
                throw RecipeFault("\"\(sides[0])\" stands twice in the recipe.")
            }
        }
        try self.init(RecipeFields(values))
    }

    private init(_ fields: RecipeFields) throws(RecipeFault) {
        self.init(
            seed: try fields.value("seed", expecting: "a whole number") { UInt64($0) },
            seconds: try fields.number("s", in: Self.seconds), tempo: try fields.number("bpm", in: Self.tempos),
            key: try fields.value("key", expecting: "a key such as D-minor") { Key(code: $0) },
            metre: try fields.value("metre", expecting: "2/4, 3/4, 4/4, 5/4 or 6/8") { Metre(rawValue: String($0)) },
            energy: try fields.number("energy", in: 0...100), brightness: try fields.number("bright", in: 0...100),
            style: try fields.value("style", expecting: "a style") { Style(rawValue: String($0)) },
            form: try fields.value("form", expecting: "a form") { FormKind(rawValue: String($0)) },
            programs: try fields.value("parts", expecting: "eight instruments") { Self.programs($0) },
            motif: try fields.value("motif", expecting: "a motif") { Motif(code: $0) })
        guard motif.steps == metre.steps else { throw RecipeFault("The motif of the recipe does not fill a bar of \(metre.rawValue).") }
        guard hasRoom else { throw RecipeFault("At \(tempo) beats a minute \(seconds) seconds have fewer than four bars.") }
    }

    private static func programs(_ text: Substring) -> [Int?]? {
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        guard names.count == PartRole.allCases.count else { return nil }
        var programs: [Int?] = []
        for (role, name) in zip(PartRole.allCases, names) {
            if name == "-" {
                programs.append(nil)
            } else {
                guard let program = Int(name) else { return nil }
                guard role == .drums ? Instrument.kits[program] != nil : Instrument.of(program) != nil else { return nil }
                programs.append(program)
            }
        }
        // A recipe needs a melody for its motif, and chords for its harmony.
        return programs[PartRole.lead.rawValue] != nil && programs[PartRole.chords.rawValue] != nil ? programs : nil
    }
}

/// The reason why a recipe cannot be used, in a sentence.
package struct RecipeFault: Error, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

private struct RecipeFields {
    let values: [Substring: Substring]

    init(_ values: [Substring: Substring]) { self.values = values }

    func value<T>(_ name: Substring, expecting wanted: String, read: (Substring) -> T?) throws(RecipeFault) -> T {
        guard let text = values[name] else { throw RecipeFault("The recipe has no \"\(name)\".") }
        guard let value = read(text) else { throw RecipeFault("\"\(name)\" in the recipe is not \(wanted).") }
        return value
    }

    func number(_ name: Substring, in range: ClosedRange<Int>) throws(RecipeFault) -> Int {
        try value(name, expecting: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
