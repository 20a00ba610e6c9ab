import BatonCore
import BatonProtocol
import Configuration

/// A partial command line and its possible continuations. Candidates that only the hub knows are requested by `asks`.
struct CommandLineSoFar {
    /// Kinds of candidates that the hub or the shell provides.
    enum Ask: Equatable, Sendable {
        case rooms, playlists, items, sources, stations, podcasts, devices, hubs, files
    }

    struct Candidate: Equatable, Sendable {
        var word: String
        var about: String

        init(_ word: String, _ about: String = "") { (self.word, self.about) = (word, about) }
    }

    /// The word at the cursor, which may be empty.
    let current: String
    private(set) var candidates: [Candidate] = []
    private(set) var asks: [Ask] = []
    /// The hub that the line names.
    private(set) var hub: String?

    private static let options = CommandLineText.common + Verb.allOptions

    /// Takes the words after the program's name; the last one is at the cursor.
    init(_ words: [String]) {
        current = words.last ?? ""
        var operands: [String] = []
        var pending: Arguments.Option?
        for word in words.dropLast() {
            if let option = pending {
                if option.name == "hub" { hub = word }
                pending = nil
            } else if word.hasPrefix("-") {
                let option = Self.option(word)
                if case .value? = option?.shape, !word.contains("=") { pending = option }
            } else {
                operands.append(word)
            }
        }
        complete(Alias.expanded(operands), behind: pending)
        let typed = current.lowercased()
        candidates = candidates.filter { $0.word.lowercased().hasPrefix(typed) }
    }

    private static func option(_ word: String) -> Arguments.Option? {
        let name = word.prefix { $0 != "=" }.drop { $0 == "-" }
        return options.first { $0.name == name || $0.short.map(String.init) == String(name) }
    }

    private mutating func complete(_ operands: [String], behind option: Arguments.Option?) {
        let verb = operands.first.flatMap(Verb.named)
        if let option { return completeValue(of: option) }
        if current.hasPrefix("-") { return completeOptions(of: verb) }
        guard let name = operands.first else {
            candidates = Verb.all.map { Candidate($0.name, $0.usages.first?.says ?? "") }
            candidates += Alias.all.map { Candidate($0.word, $0.means.joined(separator: " ")) } + [Candidate("help", "explain a verb")]
            return
        }
        if name == "help" {
            candidates = operands.count == 1 ? Verb.all.map { Candidate($0.name, $0.usages.first?.says ?? "") } : []
        } else if let verb {
            completeOperand(of: verb, behind: Array(operands.dropFirst()))
        }
    }

    private mutating func completeOptions(of verb: Verb?) {
        let common = CommandLineText.common.filter { option in
            option.name == "room" ? verb?.isOfRoom != false : option.name == "format" ? verb?.formats != false : true
        }
        candidates = ((verb?.options ?? []) + common).map { Candidate("--" + $0.name, $0.help) }
    }

    private static let asksByOption: [String: Ask] = ["room": .rooms, "from": .rooms, "hub": .hubs, "source": .sources, "to": .sources]

    private mutating func completeValue(of option: Arguments.Option) {
        if let ask = Self.asksByOption[option.name] { return asks.append(ask) }
        switch option.name {
        case "kind": candidates = ItemKind.allCases.map { Candidate($0.rawValue) }
        case "sort": candidates = ItemSort.allCases.map { Candidate($0.rawValue) }
        case "role": candidates = ["listener", "guest", "remote", "admin"].map { Candidate($0) }
        default:
            guard case .value(let placeholder) = option.shape else { return }
            if placeholder == "FILE" || placeholder == "PATH" { return asks.append(.files) }
            if placeholder.contains("|") { take(placeholder, of: nil, "") }
        }
    }

    // MARK: Operands

    /// Adds the next words of all usages that match the typed ones.
    private mutating func completeOperand(of verb: Verb, behind operands: [String]) {
        if verb.name == "idle" { candidates = IdleSections.words.map { Candidate($0) } }
        if verb.name == "browse", operands.isEmpty { asks.append(.sources) }
        for (usage, says) in verb.usages {
            for way in usage.split(separator: ",") {
                var tokens = way.split(separator: " ").map(Self.plain).filter { !$0.isEmpty }
                guard tokens.first == verb.name else { continue }
                tokens.removeFirst()
                let typed = operands.prefix(max(0, tokens.count - 1))
                guard zip(tokens, typed).allSatisfy({ Self.fits($1, $0) }), let token = tokens.dropFirst(typed.count).first else {
                    continue
                }
                // A usage whose last word may be repeated matches any number of words.
                guard operands.count == typed.count || usage.contains("...") else { continue }
                take(token, of: verb, says)
            }
        }
    }

    private static func plain(_ token: Substring) -> String { String(token.filter { !"[]'\"".contains($0) }).replacing("...", with: "") }

    private static func isLiteral(_ token: String) -> Bool {
        token.contains { $0.isLowercase } && !token.contains("~") && !token.contains(":")
    }

    private static func fits(_ word: String, _ token: String) -> Bool {
        !isLiteral(token) || token.split(separator: "|").contains { $0 == word || !isLiteral(String($0)) }
    }

    private mutating func take(_ token: String, of verb: Verb?, _ says: String) {
        for part in token.split(separator: "|").map(String.init) {
            if Self.isLiteral(part), !part.hasPrefix("-") {
                if !candidates.contains(where: { $0.word == part }) { candidates.append(Candidate(part, says)) }
            } else if let ask = Self.ask(part, verb?.name ?? ""), !asks.contains(ask) {
                asks.append(ask)
            }
        }
    }

    private static let asksByPlaceholder: [String: Ask] = [
        "ROOM": .rooms, "LIST": .playlists, "PLAYLIST": .playlists, "URI": .items, "ITEM": .items, "WORDS": .items, "SOURCE": .sources,
        "DEVICE": .devices, "HUB": .hubs, "FILE": .files, "PATH": .files, "FOLDER": .files,
    ]

    private static func ask(_ placeholder: String, _ verb: String) -> Ask? {
        switch (verb, placeholder) {
        case ("radio", "NAME"): .stations
        case ("podcast", "NAME"): .podcasts
        case ("source", "NAME"): .sources
        case ("rooms", "DEVICE"), ("imagine", _), ("compose", _), ("endless", _), ("clips", _): nil
        default: asksByPlaceholder[placeholder]
        }
    }
}
