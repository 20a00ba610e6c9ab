import BatonSeams

/// The position of the next page in a list from several sources: one place for each source that has more rows. Remotes send
/// it back unchanged, but it is parsed as untrusted input.
package struct PageCursor: Equatable {
    enum Position: Equatable {
        /// A place after this number of rows.
        case from(Int)
        /// A place in the source's page of this cursor, after its first rows.
        case page(String, skipping: Int)
        /// A place in a page of this size whose rows were sorted for the search, after its first rows.
        case ranked(size: Int, skipping: Int, Begin)
        /// A source that was asked, and whose rows have not been shown yet.
        case waiting
    }

    /// The beginning of a source's page.
    enum Begin: Equatable {
        case row(Int)
        case word(String)
    }

    var positions: [(source: String, position: Position)]
    /// The search whose rows are still stored (`OpenSearches`).
    var search: Int?

    package static func == (a: PageCursor, b: PageCursor) -> Bool {
        a.positions.map(\.source) == b.positions.map(\.source) && a.positions.map(\.position) == b.positions.map(\.position)
            && a.search == b.search
    }

    init(_ positions: [(source: String, position: Position)], search: Int? = nil) {
        self.positions = positions
        self.search = search
    }

    /// The text form, as `lib=f80;pl=c3.word;home=r80.12.f0;away=w;?=7`. A source's own word has its `;` and `%` escaped.
    var text: String {
        let parts = positions.map { source, position in
            switch position {
            case .from(let count): "\(source)=f\(count)"
            case .page(let word, let skipped): "\(source)=c\(skipped).\(Self.escaped(word))"
            case .ranked(let size, let skipped, .row(let row)): "\(source)=r\(size).\(skipped).f\(row)"
            case .ranked(let size, let skipped, .word(let word)): "\(source)=r\(size).\(skipped).c\(Self.escaped(word))"
            case .waiting: "\(source)=w"
            }
        }
        return (parts + (search.map { ["?=\($0)"] } ?? [])).joined(separator: ";")
    }

    init?(_ text: String) {
        positions = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            if part.hasPrefix("?=") {
                guard search == nil, let number = Self.number(part.dropFirst(2)) else { return nil }
                search = number
                continue
            }
            guard let equals = part.firstIndex(of: "="), let position = Self.position(part[part.index(after: equals)...]) else {
                return nil
            }
            let source = String(part[..<equals])
            guard !source.isEmpty, !positions.contains(where: { $0.source == source }), positions.count < 64 else { return nil }
            positions.append((source, position))
        }
    }

    private static let most = 10_000_000

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { $0 <= most ? $0 : nil }
    }

    private static func position(_ text: Substring) -> Position? {
        switch text.first {
        case "f": return number(text.dropFirst()).map(Position.from)
        case "c":
            let parts = text.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let skipped = number(parts[0]), let word = plain(parts[1]) else { return nil }
            return .page(word, skipping: skipped)
        case "r":
            let parts = text.dropFirst().split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let size = number(parts[0]), (1...Position.mostRows).contains(size), let skipped = number(parts[1])
            else {
                return nil
            }
            return begin(parts[2]).map { .ranked(size: size, skipping: skipped, $0) }
        case "w": return text.count == 1 ? .waiting : nil
        default: return nil
        }
    }

    private static func begin(_ text: Substring) -> Begin? {
        switch text.first {
        case "f": number(text.dropFirst()).map(Begin.row)
        case "c": plain(text.dropFirst()).map(Begin.word)
        default: nil
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
