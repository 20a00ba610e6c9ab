/// The elements and attributes of a feed that hold its texts. Names have the prefixes of `FeedNames`.
import BatonReading

enum FeedTexts {
    struct Source {
        var field: FeedFacts.Field
        /// Priority of the source; the highest wins.
        var rank: Int
    }

    static let roots: Set<String> = ["rss", "rdf:RDF", "channel", "atom:feed"]
    static let episodes: Set<String> = ["item", "atom:entry"]
    /// Elements whose direct children describe the podcast or the episode.
    static let holders: Set<String> = ["channel", "item", "atom:feed", "atom:entry", "atom:author", "image", "media:group"]

    static let sources: [String: Source] = [
        "title": Source(field: .title, rank: 2), "atom:title": Source(field: .title, rank: 2),
        "itunes:title": Source(field: .title, rank: 1),
        "itunes:author": Source(field: .author, rank: 3), "atom:name": Source(field: .author, rank: 2),
        "author": Source(field: .author, rank: 1),
        "content:encoded": Source(field: .about, rank: 4), "atom:content": Source(field: .about, rank: 4),
        "description": Source(field: .about, rank: 3), "atom:summary": Source(field: .about, rank: 3),
        "itunes:summary": Source(field: .about, rank: 2), "atom:subtitle": Source(field: .about, rank: 1),
        "itunes:new-feed-url": Source(field: .movedTo, rank: 1),
        "url": Source(field: .picture, rank: 1), "atom:logo": Source(field: .picture, rank: 1),
        "guid": Source(field: .guid, rank: 2), "atom:id": Source(field: .guid, rank: 2),
        "pubDate": Source(field: .published, rank: 3), "atom:published": Source(field: .published, rank: 3),
        "dc:date": Source(field: .published, rank: 2), "atom:updated": Source(field: .published, rank: 1),
        "itunes:duration": Source(field: .length, rank: 1),
    ]

    static func attributes(of name: String, _ attributes: [(String, String)]) -> [(FeedFacts.Field, Int, String)] {
        func value(_ name: String) -> String? { attributes.first { $0.0 == name }?.1 }
        func sound(at place: String, bytes: String, rank: Int) -> [(FeedFacts.Field, Int, String)] {
            guard let url = value(place), !url.isEmpty else { return [] }
            return [(.url, rank, url), (.type, rank, value("type") ?? ""), (.bytes, rank, value(bytes) ?? "")]
        }
        switch name {
        case "enclosure": return sound(at: "url", bytes: "length", rank: 3)
        case "atom:link" where value("rel") == "enclosure": return sound(at: "href", bytes: "length", rank: 2)
        case "media:content" where value("type")?.hasPrefix("image/") != true && value("medium") != "image":
            return sound(at: "url", bytes: "fileSize", rank: 1)
        case "itunes:image": return value("href").map { [(.picture, 2, $0)] } ?? []
        case "podcast:chapters": return value("url").map { [(.chapters, 1, $0)] } ?? []
        default: return []
        }
    }
}

/// Element names with the usual prefixes of their namespaces, whatever prefixes the feed uses.
struct FeedNames {
    private static let usual = [
        "http://www.w3.org/2005/Atom": "atom", "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
        "https://podcastindex.org/namespace/1.0": "podcast", "http://purl.org/rss/1.0/modules/content/": "content",
        "http://purl.org/dc/elements/1.1/": "dc", "http://search.yahoo.com/mrss/": "media",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
        "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
    ]
    private static let most = 64
    private var prefixes: [String: String] = [:]

    mutating func note(_ attributes: [(String, String)]) {
        for (name, value) in attributes where name.hasPrefix("xmlns") && prefixes.count < Self.most {
            // Feeds vary the case of namespaces, although that makes them different ones.
            let usual = Self.usual.first { $0.key.lowercased() == value.lowercased() }?.value
            let prefix = String(name.dropFirst(name.hasPrefix("xmlns:") ? 6 : 5))
            if let usual { prefixes[prefix] = usual }
        }
    }

    func known(_ written: String) -> String {
        guard let colon = written.firstIndex(of: ":") else { return prefixes[""].map { "\($0):\(written)" } ?? written }
        let prefix = String(written[..<colon])
        return (prefixes[prefix] ?? prefix) + written[colon...]
    }
}
