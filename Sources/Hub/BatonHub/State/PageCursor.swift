import BatonSeams

/// Where the next page of a list begins that several sources fill: one place for each source that has
/// more. Remotes send it back as it came, so it is read as something from outside.
struct PageCursor: Equatable {
    enum Place: Equatable {
        /// So many rows further on.
        case from(Int)
        /// On the page that the source itself named so, behind its first rows.
        case page(String, skipping: Int)
    }

    var places: [(source: String, place: Place)]

    static func == (a: PageCursor, b: PageCursor) -> Bool {
        a.places.map(\.source) == b.places.map(\.source) && a.places.map(\.place) == b.places.map(\.place)
    }

    init(_ places: [(source: String, place: Place)]) { self.places = places }

    /// `lib=f80;pl=c3.word`, where a source's own word has its `;` and `%` escaped.
    var text: String {
        places.map { source, place in
            switch place {
            case .from(let count): "\(source)=f\(count)"
            case .page(let word, let skipped): "\(source)=c\(skipped).\(Self.escaped(word))"
            }
        }.joined(separator: ";")
    }

    init?(_ text: String) {
        places = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            guard let equals = part.firstIndex(of: "="), let place = Self.place(part[part.index(after: equals)...]) else { return nil }
            let source = String(part[..<equals])
            guard !source.isEmpty, !places.contains(where: { $0.source == source }), places.count < 64 else { return nil }
            places.append((source, place))
        }
    }

    private static let most = 10_000_000

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { $0 <= most ? $0 : nil }
    }

    private static func place(_ text: Substring) -> Place? {
        switch text.first {
        case "f": return number(text.dropFirst()).map(Place.from)
        case "c":
            let parts = text.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let skipped = number(parts[0]), let word = plain(parts[1]) else { return nil }
            return .page(word, skipping: skipped)
        default: return nil
        }
    }

    private static func escaped(_ word: String) -> String {
        var text = ""
        for character in word.unicodeScalars {
            switch character {
            case "%": text += "%25"
            case ";": text += "%3B"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }

    private static func plain(_ text: Substring) -> String? {
        var word = ""
        var rest = text.unicodeScalars[...]
        while let next = rest.popFirst() {
            guard next == "%" else {
                word.unicodeScalars.append(next)
                continue
            }
            switch (rest.popFirst(), rest.popFirst()) {
            case ("2", "5"): word += "%"
            case ("3", "B"): word += ";"
            default: return nil
            }
        }
        return word
    }
}
