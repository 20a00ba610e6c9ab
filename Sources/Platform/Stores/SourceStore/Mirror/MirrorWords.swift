/// The words by which a row is found, and queries for typed words.
///
/// Each word follows a letter that tells where it was found, so that a search for one kind, or one tier of it, reads no rows of another.
/// Folded words contain letters and digits only, so they cannot end a quoted word of a query.
import BatonCore

enum MirrorWords {
    /// The letters, all lower case, since the index ignores case.
    enum Mark: String {
        case track = "t"
        case station = "s"
        case artist = "r"
        case album = "l"
        // Containers.
        case artistName = "a"
        case albumName = "b"
        case albumArtist = "c"
        case genreName = "g"
        case playlistName = "p"
        case folderName = "f"
    }

    private static let mostWords = 48
    /// Length of a prefix that distinguishes words well enough.
    private static let wordBytes = 40
    private static let mostTyped = 12

    static func mark(of kind: ItemKind) -> Mark? {
        switch kind {
        case .track, .chapter, .generation, .episode, .book: .track
        case .station: .station
        case .artist: .artistName
        case .album: .albumName
        case .genre: .genreName
        case .playlist: .playlistName
        case .folder: .folderName
        // No server has these as searchable containers.
        case .composer, .label, .year, .podcast, .series, .author, .narrator, .shelf: nil
        }
    }

    /// `nil` for rows that a search does not find.
    static func words(of row: ItemRow) -> String? {
        guard let mark = mark(of: row.tags.kind) else { return nil }
        var texts = [(mark, row.tags.title)]
        switch mark {
        case .track:
            texts += row.tags.artists.map { (.artist, $0) }
            texts.append((.album, row.tags.album))
        case .albumName:
            texts.append((.albumArtist, row.tags.albumArtist))
            texts += row.tags.artists.map { (.albumArtist, $0) }
        default: break
        }
        var words: [String] = []
        var met: Set<String> = []
        for (mark, text) in texts {
            for word in Folding.words(Folding.fold(text)) where words.count < mostWords {
                let marked = mark.rawValue + Folding.cut(String(word), to: wordBytes)
                if met.insert(marked).inserted { words.append(marked) }
            }
        }
        return words.joined(separator: " ")
    }

    /// The typed words, folded. A word that is the beginning of another one is dropped.
    static func typed(_ text: String) -> [String] {
        var met = Set<Substring>()
        let all = Folding.words(Folding.fold(text)).filter { met.insert($0).inserted }
        return all.filter { word in !all.contains { $0 != word && $0.hasPrefix(word) } }.prefix(mostTyped)
            .map { Folding.cut(String($0), to: wordBytes) }
    }

    /// A query for all words, each behind one of these marks. A word may have alternatives, of which one must match.
    static func match(_ words: [[SoughtWord]], _ marks: [Mark]) -> String {
        let each = words.map { alike in
            let questions = alike.flatMap { word in marks.map { "\"\($0.rawValue)\(word.text)\"" + (word.isWhole ? "" : "*") } }
            return "(" + questions.joined(separator: " OR ") + ")"
        }
        return "(" + each.joined(separator: " AND ") + ")"
    }
}
