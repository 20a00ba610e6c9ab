/// Closures that can be set after their object was made. Code that calls one cannot see what it calls, nor whether it was set yet, and
/// the order of two of them is written nowhere. So a part returns what happened, gets what it needs in its initialiser, or knows its owner.
enum SettableClosures {
    private static let layers = [
        "Sources/Kernel/", "Sources/Features/", "Sources/Assembly/", "Sources/Dialects/", "Sources/Programs/",
    ]

    /// The name of a type whose values are closures.
    private struct Alias {
        let name: String
        /// The type in which it is declared, if it is.
        let owner: String?
        let module: String
    }

    static func complaints(about files: [SourceFile]) -> [String] {
        let aliases = files.flatMap(Self.aliases)
        return files.filter { file in layers.contains { file.path.hasPrefix($0) } }.flatMap { file in
            variables(in: file, aliases).map { number, name in
                "\(file.path):\(number) lets the closure \(name) be set later: make it a `let`, return what happened, or send an event."
            }
        }
    }

    /// Stored variables that hold a closure or several, with the numbers of their lines.
    private static func variables(in file: SourceFile, _ aliases: [Alias]) -> [(Int, String)] {
        file.codeLines.enumerated().compactMap { number, line in
            guard line.contains("var "), let found = line.firstMatch(of: /\bvar (\w+)\s*(:| = \{)/) else { return nil }
            let place = (number + 1, String(found.1))
            // Its type is that of its first value.
            if found.2 != ":" { return place }
            let (type, isStored) = declared(in: file, at: number, from: found.range.upperBound)
            return isStored && (type.contains("->") || aliases.contains { isNamed($0, by: type, in: file) }) ? place : nil
        }
    }

    private static func aliases(in file: SourceFile) -> [Alias] {
        guard file.text.contains("typealias ") else { return [] }
        return file.codeLines.enumerated().compactMap { number, line in
            guard let found = line.firstMatch(of: /^(\s*)(?:\w+ )*typealias (\w+)[^=]*=/),
                declared(in: file, at: number, from: found.range.upperBound).type.contains("->")
            else { return nil }
            let owner = file.codeLines[..<number].last { line in
                line.prefix(while: \.isWhitespace).count < found.1.count && line.contains(declaration)
            }
            let name = owner.flatMap { $0.firstMatch(of: declaration)?.1.split(separator: ".").last }
            return Alias(name: String(found.2), owner: name.map(String.init), module: file.module)
        }
    }

    private static var declaration: Regex<(Substring, Substring)> { /\b(?:class|struct|enum|actor|protocol|extension) ([\w.]+)/ }

    /// With its owner's name before it, or inside of the owner.
    private static func isNamed(_ alias: Alias, by type: Substring, in file: SourceFile) -> Bool {
        guard type.contains(alias.name) else { return false }
        return type.matches(of: /[\w.]+/).contains { word in
            let path = word.0.split(separator: ".")
            guard let owner = alias.owner else { return path.last == alias.name[...] }
            if path.suffix(2) == [owner[...], alias.name[...]] { return true }
            guard path == [alias.name[...]], file.module == alias.module else { return false }
            return file.codeLines.contains { $0.firstMatch(of: declaration)?.1.split(separator: ".").last == owner[...] }
        }
    }

    /// The type from there on, which can go on in the next lines, and whether a value is stored for it.
    private static func declared(in file: SourceFile, at number: Int, from start: Substring.Index) -> (type: Substring, isStored: Bool) {
        let lines = file.codeLines[number...].prefix(9)
        let text = ([lines[number][start...]] + lines.dropFirst()).joined(separator: "\n")
        var depth = 0
        for (place, character) in zip(text.indices, text) {
            let type = text[..<place]
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]": depth -= 1
            case ">" where type.last != "-": depth -= 1
            case "=" where depth == 0: return (type, true)
            case "{":
                let body = text[place...].dropFirst().drop(while: \.isWhitespace)
                return (type, body.hasPrefix("didSet") || body.hasPrefix("willSet"))
            case "\n" where depth == 0:
                let words = type.split(whereSeparator: \.isWhitespace)
                let next = text[place...].drop(while: \.isWhitespace)
                if let last = words.last, last != "->", !next.hasPrefix("->") { return (type, true) }
            default: break
            }
        }
        return (text[...], true)
    }
}
