/// The facts of a feed, collected from its elements. It knows no parser.
import BatonReading

final class FeedReading {
    private(set) var facts = FeedFacts()
    private(set) var isFeed = false
    /// The reason why the rest is not read.
    private(set) var refusal: ReaderFailure?
    /// True once enough was read.
    private(set) var isFull = false
    /// Ends the parsing.
    var stop: () -> Void = {}

    private var names: [String] = []
    private var prefixes = FeedNames()
    private var episode: FeedFacts.Texts?
    /// Rank of the source of each stored text, by field; better sources replace it.
    private var ranks: [FeedFacts.Field: Int] = [:]
    private var podcastRanks: [FeedFacts.Field: Int] = [:]
    /// The text that is being collected, and the depth at which it ends.
    private var text: (source: FeedTexts.Source, depth: Int, bytes: [UInt8])?
    private var bytes = 0

    private static let mostDepth = 64

    func refuse(_ code: ReaderFailure.Code) {
        if refusal == nil { refusal = ReaderFailure(code) }
        stop()
    }

    private func fill() {
        facts.isCut = true
        isFull = true
        stop()
    }

    func begin(_ written: String, _ attributes: [(String, String)]) {
        guard refusal == nil, !isFull else { return }
        guard names.count < Self.mostDepth else { return refuse(.tooDeep) }
        prefixes.note(attributes)
        let name = prefixes.known(written)
        let parent = names.last ?? ""
        names.append(name)
        if names.count == 1 { return root(name) }
        if FeedTexts.episodes.contains(name), episode == nil {
            guard facts.episodes.count < FeedFacts.mostEpisodes else {
                return fill()
            }
            episode = [:]
            ranks = [:]
            return
        }
        guard text == nil, FeedTexts.holders.contains(parent), (parent == "image") == (name == "url") else { return }
        for (field, rank, value) in FeedTexts.attributes(of: name, attributes) { store(Array(value.utf8), as: field, rank: rank) }
        if let source = FeedTexts.sources[name] { text = (source, names.count, []) }
    }

    func take(_ piece: [UInt8]) {
        guard let source = text?.source, let count = text?.bytes.count, count < source.field.most else { return }
        text?.bytes += piece.prefix(source.field.most - count)
    }

    func end() {
        guard !names.isEmpty else { return }
        if let text, text.depth == names.count {
            store(text.bytes, as: text.source.field, rank: text.source.rank)
            self.text = nil
        }
        let name = names.removeLast()
        guard FeedTexts.episodes.contains(name), let ended = episode, FeedTexts.roots.contains(names.last ?? "") else { return }
        if ended[.url] != nil { facts.episodes.append(ended) }
        episode = nil
    }

    private func root(_ name: String) {
        guard FeedTexts.roots.contains(name) else { return refuse(name.lowercased() == "html" ? .isPage : .notFeed) }
        isFeed = true
    }

    /// Stores a text unless an earlier source was as good or better.
    private func store(_ value: [UInt8], as field: FeedFacts.Field, rank: Int) {
        let value = Self.trimmed(value, field.most)
        guard !value.isEmpty, rank > (episode == nil ? podcastRanks : ranks)[field] ?? 0 else { return }
        bytes += value.count
        guard bytes <= FeedFacts.mostBytes else {
            return fill()
        }
        if episode == nil {
            podcastRanks[field] = rank
            facts.podcast[field] = value
        } else {
            ranks[field] = rank
            episode?[field] = value
        }
    }

    private static func trimmed(_ bytes: [UInt8], _ most: Int) -> [UInt8] {
        var bytes = bytes.prefix(most).drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        // A character that was cut is dropped.
        return Array(String(decoding: bytes, as: UTF8.self).utf8.prefix(most))
    }
}
