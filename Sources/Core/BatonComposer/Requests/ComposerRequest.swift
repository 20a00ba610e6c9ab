import BatonJSON

/// A request to `baton-composer`: one JSON object on its standard input. Unknown members are skipped.
package struct ComposerRequest: Equatable, Sendable {
    package var prompt = ""
    package var seed: UInt64?
    package var seconds = 60
    /// Whether the request names the length itself.
    package var namesSeconds = false
    /// The exact piece to make again.
    package var recipe: Recipe?
    package var motif: MotifWish?
    package var vary: (recipe: Recipe, amount: Int)?
    package var steer = Recipe.Steering()
    /// A loop of one layer, instead of a whole piece.
    package var clip: Clip?
    /// Loops to mix, instead of new music.
    package var mix: Mix?
    package var soundfont: String?
    /// The title of the piece, if it should not come from its prompt or recipe.
    package var title: String?
    /// The person who asked for it.
    package var author: String?

    /// The motif that the piece should have.
    package enum MotifWish: Equatable, Sendable {
        /// The motif of an earlier piece, which this one continues.
        case following(Recipe)
        case tones(Motif)
    }

    package struct Mix: Equatable, Sendable {
        /// Absolute paths of FLAC files.
        package var files: [String]
        /// The plan that all of them are based on.
        package var recipe: Recipe
        package var title: String

        /// Number of files: at most one for each layer.
        package static let most = Clip.Layer.allCases.count
    }

    package static let largest = 64 * 1024

    package static func == (one: ComposerRequest, other: ComposerRequest) -> Bool {
        one.prompt == other.prompt && one.seed == other.seed && one.seconds == other.seconds && one.recipe == other.recipe
            && one.motif == other.motif && one.vary?.recipe == other.vary?.recipe && one.vary?.amount == other.vary?.amount
            && one.steer == other.steer && one.soundfont == other.soundfont && one.namesSeconds == other.namesSeconds
            && one.clip == other.clip && one.mix == other.mix
            && one.title == other.title && one.author == other.author
    }

    package init(_ bytes: [UInt8]) throws(ComposerFault) {
        guard bytes.count <= Self.largest else { throw ComposerFault("The request has more than \(Self.largest) bytes.") }
        let json: JSON
        do { json = try JSON.parse(bytes) } catch { throw ComposerFault("The request is no JSON: \(error.sentence)") }
        guard let members = json.object else { throw ComposerFault("The request is no JSON object.") }
        try read(members)
        guard !prompt.isEmpty || recipe != nil || vary != nil || motif != nil else {
            throw ComposerFault("The request has no prompt: say in \"prompt\" what the music should be like.")
        }
    }

    private mutating func read(_ members: JSONObject) throws(ComposerFault) {
        prompt = try Self.prompt(members["prompt"])
        seed = try Self.seed(members["seed"])
        if let wished = try Self.number(members["durationS"], "durationS", in: Recipe.seconds) {
            seconds = wished
            namesSeconds = true
        }
        recipe = try Self.recipe(members["recipe"], "recipe")
        motif = try Self.motif(members["motif"])
        vary = try Self.vary(members["vary"])
        steer = try Self.steering(members["steer"])
        clip = try Self.clip(members["clip"])
        title = try Self.text(members["title"], "title", most: 240)
        author = try Self.text(members["author"], "author", most: 240)
        soundfont = try Self.text(members["soundfont"], "soundfont", most: 4096)
        mix = try Self.mix(from: members["mix"], recipe: recipe, title: title ?? "")
    }

    private static func prompt(_ json: JSON?) throws(ComposerFault) -> String {
        let text = try text(json, "prompt", most: Prompt.longest * 4) ?? ""
        guard text.unicodeScalars.count <= Prompt.longest else {
            throw ComposerFault("The prompt has more than \(Prompt.longest) characters.")
        }
        if json?.string != nil, text.allSatisfy(\.isWhitespace) { throw ComposerFault("The prompt is empty.") }
        return text
    }

    private static func seed(_ json: JSON?) throws(ComposerFault) -> UInt64? {
        guard let json, !json.isNull else { return nil }
        if let number = json.int, let seed = UInt64(exactly: number) { return seed }
        guard let text = json.string, let seed = UInt64(text), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw ComposerFault("\"seed\" is a whole number from 0 to \(UInt64.max), as a string.")
        }
        return seed
    }

    private static func motif(_ json: JSON?) throws(ComposerFault) -> MotifWish? {
        guard let json, !json.isNull else { return nil }
        if let text = json.string {
            if let motif = Motif(code: text) { return .tones(motif) }
            do { return .following(try Recipe(text)) } catch { throw ComposerFault(error.sentence) }
        }
        if let text = json["recipe"]?.string {
            do { return .following(try Recipe(text)) } catch { throw ComposerFault(error.sentence) }
        }
        guard let tones = json["tones"]?.string.flatMap({ Motif(code: $0) }) else {
            throw ComposerFault("\"motif\" is the recipe of a piece, or an object with the \"tones\" of a motif.")
        }
        return .tones(tones)
    }

    private static func vary(_ json: JSON?) throws(ComposerFault) -> (recipe: Recipe, amount: Int)? {
        guard let json, !json.isNull else { return nil }
        guard let recipe = try recipe(json["recipe"], "vary.recipe") else { throw ComposerFault("\"vary\" names no recipe.") }
        return (recipe, try number(json["amount"], "vary.amount", in: 0...100) ?? 50)
    }

    private static func steering(_ json: JSON?) throws(ComposerFault) -> Recipe.Steering {
        var steering = Recipe.Steering()
        guard let json, !json.isNull else { return steering }
        guard json.object != nil else { throw ComposerFault("\"steer\" is an object of presses, such as {\"calmer\":1}.") }
        let presses = 0...Recipe.Steering.mostPresses
        steering.calmer = try number(json["calmer"], "steer.calmer", in: presses) ?? 0
        steering.livelier = try number(json["livelier"], "steer.livelier", in: presses) ?? 0
        steering.brighter = try number(json["brighter"], "steer.brighter", in: presses) ?? 0
        steering.darker = try number(json["darker"], "steer.darker", in: presses) ?? 0
        return steering
    }

    private static func clip(_ json: JSON?) throws(ComposerFault) -> Clip? {
        guard let json, !json.isNull else { return nil }
        guard let layer = json["layer"]?.string.flatMap(Clip.Layer.init) else {
            let names = Clip.Layer.allCases.map(\.rawValue).joined(separator: ", ")
            throw ComposerFault("\"clip\" has a \"layer\", one of \(names).")
        }
        return Clip(layer, bars: try number(json["bars"], "clip.bars", in: Clip.bars) ?? Clip.usualBars)
    }

    private static func mix(from json: JSON?, recipe: Recipe?, title: String) throws(ComposerFault) -> Mix? {
        guard let json, !json.isNull else { return nil }
        guard let recipe else { throw ComposerFault("A mix needs the \"recipe\" of its loops.") }
        var files: [String] = []
        for file in json["files"]?.array ?? [] {
            guard let path = try text(file, "mix.files", most: 4096), path.hasPrefix("/") else {
                throw ComposerFault("\"mix.files\" has absolute paths.")
            }
            files.append(path)
        }
        guard (1...Mix.most).contains(files.count) else { throw ComposerFault("\"mix.files\" names 1 to \(Mix.most) loops.") }
        return Mix(files: files, recipe: recipe, title: title)
    }

    private static func recipe(_ json: JSON?, _ name: String) throws(ComposerFault) -> Recipe? {
        guard let text = try text(json, name, most: 4096) else { return nil }
        do { return try Recipe(text) } catch { throw ComposerFault(error.sentence) }
    }

    private static func number(_ json: JSON?, _ name: String, in range: ClosedRange<Int>) throws(ComposerFault) -> Int? {
        guard let json, !json.isNull else { return nil }
        guard let number = json.int.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw ComposerFault("\"\(name)\" is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func text(_ json: JSON?, _ name: String, most: Int) throws(ComposerFault) -> String? {
        guard let json, !json.isNull else { return nil }
        guard let text = json.string, text.utf8.count <= most else {
            throw ComposerFault("\"\(name)\" is a text of at most \(most) bytes.")
        }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 32 && !(127..<160).contains($0.value) }) else {
            throw ComposerFault("\"\(name)\" has control characters.")
        }
        return text
    }
}

/// A reason why a piece cannot be made, as a sentence.
package struct ComposerFault: Error, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}
