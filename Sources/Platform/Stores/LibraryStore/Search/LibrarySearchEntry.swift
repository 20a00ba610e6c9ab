/// Search entries: the words of a thing, and its place in the order of hits.
import BatonCore
import SQLite

struct SearchEntryKey: Hashable {
    var kind: ItemKind
    var item: Int64

    init(_ kind: ItemKind, _ item: Int64) {
        self.kind = kind
        self.item = item
    }
}

struct SearchEntry: Equatable {
    /// The letter before a word in the index, which tells where the word stands. Each kind has its own, so a search for one kind or tier
    /// reads no rows of another. The index ignores case, so a letter is used in one case only.
    enum Mark: String, CaseIterable {
        // Tracks, in the order of their tiers.
        case title = "t"
        case artist = "r"
        case album = "l"
        case file = "f"
        // Holders of tracks.
        case artistName = "A"
        case albumName = "B"
        case composerName = "C"
        case genreName = "G"
        case labelName = "K"
        case playlistName = "P"
        case albumArtist = "h"
        case seriesName = "S"
        case authorName = "U"
        case narratorName = "N"
        // Books: their titles, and their authors, narrators and series.
        case bookName = "D"
        case bookPeople = "e"
        /// The first word of a name or title once more, so that names that begin with a word come before those that contain it elsewhere.
        case beginning = "i"

        static func name(of kind: ItemKind) -> Mark {
            switch kind {
            case .artist: .artistName
            case .composer: .composerName
            case .genre: .genreName
            case .label: .labelName
            case .playlist: .playlistName
            case .book: .bookName
            case .series: .seriesName
            case .author: .authorName
            case .narrator: .narratorName
            default: .albumName
            }
        }
    }

    /// Adds the first word, which is the name's own.
    private static func withBeginning(_ words: String) -> String {
        let first = words.prefix { $0 != " " }.dropFirst()
        return first.isEmpty ? words : "\(words) \(Mark.beginning.rawValue)\(first)"
    }

    /// Whether the entry has one of the beginnings of each word, marks included.
    func hasWords(_ words: [[[UInt8]]]) -> Bool { tier(of: [words], orElse: 1) == 0 }

    /// The first tier that, together with those before it, has all words. `beginnings` has, for each tier's mark, the words behind that
    /// mark.
    func tier(of beginnings: [[[[UInt8]]]]) -> Int { tier(of: beginnings, orElse: beginnings.count - 1) }

    /// Compares bytes and reads each word of the entry once, since this runs for every hit. A word that is in no tier counts as tier
    /// `missing`.
    private func tier(of beginnings: [[[[UInt8]]]], orElse missing: Int) -> Int {
        var tiers = [Int](repeating: missing, count: beginnings.first?.count ?? 0)
        let bytes = Array(words.utf8)
        var start = 0
        while start < bytes.count {
            for word in tiers.indices {
                let better = (0..<min(tiers[word], beginnings.count)).first { tier in
                    beginnings[tier][word].contains { Self.begins(bytes, at: start, with: $0) }
                }
                if let better { tiers[word] = better }
            }
            start = (bytes[start...].firstIndex(of: UInt8(ascii: " ")) ?? bytes.count) + 1
        }
        return tiers.max() ?? 0
    }

    private static func begins(_ bytes: [UInt8], at start: Int, with beginning: [UInt8]) -> Bool {
        bytes.count - start >= beginning.count && beginning.indices.allSatisfy { bytes[start + $0] == beginning[$0] }
    }

    static let mostWords = 48
    static let wordBytes = SearchTerms.wordBytes

    var unplayed: Int
    var sort: String
    var hash: Int64
    var words: String

    /// `name` is unique among entries of its kind.
    init(plays: Int, sort: String, name: String, texts: [(Mark, String)]) {
        unplayed = -plays
        self.sort = Folding.short(sort)
        hash = Int64(bitPattern: StableHash.of(name))
        var words = MarkedWords()
        for (mark, text) in texts { words.add(Folding.fold(text), mark) }
        self.words = Self.withBeginning(words.text)
    }
}

/// Folded words behind their marks, each once: a word in a better place need not be indexed in a worse one.
///
/// Stored as bytes and compared one by one: they are few, and a scan makes them for each track.
private struct MarkedWords {
    private var bytes: [UInt8] = []
    private var places: [Range<Int>] = []
    private static let space = UInt8(ascii: " ")

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func add(_ folded: String, _ mark: SearchEntry.Mark) {
        let letters = Array(folded.utf8)
        var start = 0
        while start < letters.count, places.count < SearchEntry.mostWords {
            let end = letters[start...].firstIndex(of: Self.space) ?? letters.count
            add(letters[start..<Self.cut(letters, from: start, to: end)], mark)
            start = end + 1
        }
    }

    private mutating func add(_ word: ArraySlice<UInt8>, _ mark: SearchEntry.Mark) {
        guard !word.isEmpty, !places.contains(where: { $0.count == word.count && bytes[$0].elementsEqual(word) }) else { return }
        if !bytes.isEmpty { bytes.append(Self.space) }
        bytes += mark.rawValue.utf8
        places.append(bytes.count..<bytes.count + word.count)
        bytes += word
    }

    /// A cut that does not split a letter.
    private static func cut(_ letters: [UInt8], from start: Int, to end: Int) -> Int {
        guard end - start > SearchEntry.wordBytes else { return end }
        var end = start + SearchEntry.wordBytes
        while end > start, letters[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}

/// Order and fragmentation of the search index.
struct LabelNotes: Equatable {
    /// Entries without room between their neighbours, placed at the end until the next full relabelling.
    var unordered = 0
    /// Rows added since the index was merged into one piece.
    var written = 0
    var hasUnordered: Bool { unordered > 0 }

    /// Distance of two labels that are assigned together.
    static let step: Int64 = 1 << 38
    static let first: Int64 = 1 << 61
    /// Labels from here on are unordered.
    static let firstUnordered: Int64 = 1 << 62
    static let mostUnordered = 4_000
    /// Batches above 200 rows wait for the next full relabelling, which is cheaper per row, unless the index holds
    /// more than twenty times as many.
    static let mostPlaced = 200
    static let fewTimes = 20
    /// Above this number of new rows, the index has so many pieces that searches slow down.
    static let mostPieces = 2_000
}
