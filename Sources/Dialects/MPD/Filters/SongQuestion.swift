import BatonSeams

/// The question of `find` and its like: a filter, and behind it perhaps an order and a window.
struct SongQuestion: Equatable, Sendable {
    var filter: SongFilter
    var order: SongOrder?
    var window = SongRange.everything

    /// Reads the arguments from their end, as the original does.
    init(_ words: [String], foldsCase: Bool) throws(Ack) {
        var words = words[...]
        if let word = Self.take("window", from: &words) { window = try Argument.range(word) }
        if let word = Self.take("sort", from: &words) { order = try SongOrder(word) }
        filter = try FilterReader.filter(of: words, foldsCase: foldsCase)
    }

    /// Takes an option and its value from the end of the arguments.
    static func take(_ name: String, from words: inout ArraySlice<String>) -> String? {
        guard words.count >= 2, words[words.endIndex - 2] == name, let value = words.popLast() else { return nil }
        words.removeLast()
        return value
    }
}

/// The question of `list`.
struct ListQuestion: Equatable, Sendable {
    /// The groups, the outermost first, and the tag itself at the end. `nil` asks for paths.
    var tags: [TagName]?
    /// `nil` for all songs.
    var filter: SongFilter?

    init(_ words: [String]) throws(Ack) {
        var rest = words.dropFirst()
        if ["file", "filename"].contains(words[0].lowercased()) {
            if !rest.isEmpty { filter = try FilterReader.filter(of: rest, foldsCase: false) }
            return
        }
        let tag = try Self.tag(words[0])
        if rest.count == 1, let artist = rest.first, !artist.hasPrefix("(") {
            guard tag == .album else { throw Ack(.argument, "should be \"Album\" for 3 arguments") }
            tags = [tag]
            filter = .tag(.artist, TextTest(relation: .equals, value: artist))
            return
        }
        var groups: [TagName] = []
        while let word = SongQuestion.take("group", from: &rest) {
            let group = try Self.tag(word)
            guard group != tag, !groups.contains(group) else { throw Ack(.argument, "Conflicting group") }
            groups.append(group)
        }
        tags = groups + [tag]
        if !rest.isEmpty { filter = try FilterReader.filter(of: rest, foldsCase: false) }
    }

    static func tag(_ word: String) throws(Ack) -> TagName {
        guard let tag = TagName(anyCase: word) else { throw Ack(.argument, "Unknown tag type: \(word)") }
        return tag
    }
}
