/// Podcasts and their episodes.
package import BatonCore
package import BatonSeams
import SQLite

extension SourceStore: PodcastStorage {
    package func podcasts() throws(SourceFault) -> [StoredPodcast] {
        try look { sources throws(SourceFault) in
            let sql = "SELECT \(PodcastRow.columns) FROM podcast ORDER BY sort, id LIMIT ?"
            return try sources.all(sql, [.int(PodcastText.mostPodcasts)]) { PodcastRow.podcast($0) }
        }
    }

    package func podcast(_ id: Int) throws(SourceFault) -> StoredPodcast? { try one("id = ?1", .int(id)) }

    package func podcast(at url: String) throws(SourceFault) -> StoredPodcast? { try one("url = ?1 OR home = ?1", .text(url)) }

    private func one(_ condition: String, _ value: Database.Value) throws(SourceFault) -> StoredPodcast? {
        try look { sources throws(SourceFault) in
            try sources.first("SELECT \(PodcastRow.columns) FROM podcast WHERE \(condition)", [value]) { PodcastRow.podcast($0) }
        }
    }

    package func add(_ podcast: StoredPodcast) throws(SourceFault) -> Int {
        try change { sources throws(SourceFault) in
            guard try sources.first("SELECT count(*) FROM podcast", [], as: { $0.int(0) }) ?? 0 < PodcastText.mostPodcasts else {
                throw SourceFault(.quota, "The hub keeps at most \(PodcastText.mostPodcasts) podcasts.")
            }
            try sources.run(
                """
                INSERT INTO podcast (url, home, title, author, about, picture, sort, is_own, keep, due_ms, failures, sentence)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
                """,
                [.text(podcast.url), .text(podcast.home)] + podcast.values
                    + [.flag(podcast.isOwn), .int(podcast.keep), .time(podcast.dueMs), .maybe(podcast.sentence)])
            return try sources.first("SELECT last_insert_rowid()", []) { $0.int(0) } ?? 0
        }
    }

    package func episodeKeys(of id: Int) throws(SourceFault) -> Set<String> {
        try look { sources throws(SourceFault) in
            Set(try sources.all("SELECT key FROM episode WHERE podcast = ?", [.int(id)]) { $0.text(0) })
        }
    }

    package func store(_ feedChange: FeedChange) throws(SourceFault) {
        let podcast = feedChange.podcast
        try change { sources throws(SourceFault) in
            let isThere = try sources.first("SELECT 1 FROM podcast WHERE id = ?", [.int(podcast.id)]) { _ in true }
            guard isThere == true else { return }
            // The podcast may have moved to the address of an existing one.
            try sources.run(
                """
                UPDATE podcast SET url = ?1 WHERE id = ?2
                    AND NOT EXISTS (SELECT 1 FROM podcast AS other WHERE other.id <> ?2 AND (other.url = ?1 OR other.home = ?1))
                """, [.text(podcast.url), .int(podcast.id)])
            try sources.run(
                """
                UPDATE podcast SET title = ?, author = ?, about = ?, picture = ?, sort = ?, entity_tag = ?, changed = ?, checked_ms = ?,
                    due_ms = ?, failures = ?, sentence = ? WHERE id = ?
                """,
                podcast.values + [
                    .maybe(podcast.entityTag), .maybe(podcast.changed), .time(podcast.checkedMs),
                    .time(podcast.dueMs),
                    .int(podcast.failures), .maybe(podcast.sentence), .int(podcast.id),
                ])
            for episode in feedChange.episodes { try sources.put(episode, of: podcast) }
            guard !feedChange.episodes.isEmpty else { return }
            try sources.run(
                """
                DELETE FROM episode WHERE number IN
                    (SELECT number FROM episode WHERE podcast = ? ORDER BY published_ms DESC, number LIMIT -1 OFFSET ?)
                """, [.int(podcast.id), .int(PodcastText.mostEpisodes)])
        }
    }

    package func setKeep(_ id: Int, _ count: Int) throws(SourceFault) -> Bool {
        try change { sources throws(SourceFault) in
            guard let before = try sources.first("SELECT keep FROM podcast WHERE id = ?", [.int(id)], as: { $0.int(0) }) else {
                throw SourceFault(.notFound, "There is no such podcast any more.")
            }
            try sources.run("UPDATE podcast SET keep = ? WHERE id = ?", [.int(count), .int(id)])
            return before != count
        }
    }

    package func remove(podcast id: Int) throws(SourceFault) -> Bool {
        try change { sources throws(SourceFault) in
            let isThere = try sources.first("SELECT 1 FROM podcast WHERE id = ?", [.int(id)]) { _ in true }
            try sources.run("DELETE FROM episode WHERE podcast = ?", [.int(id)])
            try sources.run("DELETE FROM podcast WHERE id = ?", [.int(id)])
            return isThere == true
        }
    }

    package func episode(_ id: String) throws(SourceFault) -> StoredEpisode? {
        try look { sources throws(SourceFault) in
            try sources.first("\(PodcastRow.episodes) WHERE episode.id = ?", [.text(id)]) { PodcastRow.episode($0) }
        }
    }

    package func episodes(_ query: EpisodeQuery) throws(SourceFault) -> EpisodePage {
        let patterns = SearchTerms(query.text).words.prefix(SearchTerms.mostWords).map { "% \($0)%" }
        let conditions = (query.podcast == nil ? [] : ["episode.podcast = ?"]) + patterns.map { _ in "episode.words LIKE ?" }
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let values = (query.podcast.map { [Database.Value.int($0)] } ?? []) + patterns.map { .text($0) }
        return try look { sources throws(SourceFault) in
            let total = try sources.first("SELECT count(*) FROM episode\(filter)", values) { $0.int(0) } ?? 0
            let rows = try sources.all(
                "\(PodcastRow.episodes)\(filter) ORDER BY episode.published_ms DESC, episode.number LIMIT ? OFFSET ?",
                values + [.int(query.limit), .int(query.from)]
            ) { PodcastRow.episode($0) }
            return EpisodePage(rows, total: total)
        }
    }
}

extension SourceDatabase {
    fileprivate func put(_ episode: Episode, of podcast: StoredPodcast) throws(SourceFault) {
        let words = Folding.words(Folding.fold(episode.title)).map { " \($0)" }.joined()
        try run(
            """
            INSERT INTO episode (id, podcast, key, title, about, published_ms, duration_ms, url, type, bytes, picture, chapters, words)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET title = excluded.title, about = excluded.about, published_ms = excluded.published_ms,
                    duration_ms = excluded.duration_ms, url = excluded.url, type = excluded.type, bytes = excluded.bytes,
                    picture = excluded.picture, chapters = excluded.chapters, words = excluded.words
            """,
            [
                .text(EpisodeKeys.id(of: episode.key, in: podcast.home)), .int(podcast.id), .text(episode.key), .text(episode.title),
                .text(episode.about), .time(episode.publishedMs ?? 0), .time(episode.durationMs), .text(episode.url), .text(episode.type),
                .maybe(episode.bytes.map { Int($0) }), .maybe(episode.picture), .maybe(episode.chapters), .text(words),
            ])
    }
}

extension StoredPodcast {
    /// Values of the columns from `title` to `sort`. A podcast whose feed was never read is sorted by its displayed title.
    fileprivate var values: [Database.Value] {
        [.text(facts.title), .text(facts.author), .text(facts.about), .maybe(facts.picture), .text(Folding.short(title))]
    }
}

/// Conversion of rows of both tables.
private enum PodcastRow {
    static let names = [
        "id", "url", "home", "title", "author", "about", "picture", "is_own", "keep", "entity_tag", "changed", "checked_ms", "due_ms",
        "failures", "sentence",
    ]
    static let columns = names.map { "podcast.\($0)" }.joined(separator: ", ") + ", " + count
    private static let count = "(SELECT count(*) FROM episode WHERE episode.podcast = podcast.id)"

    static func podcast(_ row: Row) -> StoredPodcast {
        let facts = PodcastFacts(title: row.text(3), author: row.text(4), about: row.text(5), picture: row.maybeText(6))
        var podcast = StoredPodcast(
            id: row.int(0), url: row.text(1), home: row.text(2), facts: facts, isOwn: row.flag(7), keep: row.int(8))
        podcast.entityTag = row.maybeText(9)
        podcast.changed = row.maybeText(10)
        podcast.checkedMs = row.maybeTime(11)
        podcast.dueMs = row.maybeTime(12)
        podcast.failures = row.int(13)
        podcast.sentence = row.maybeText(14)
        podcast.episodes = row.int(15)
        return podcast
    }

    /// Columns of an episode with its podcast, which does not count its episodes here.
    static let episodes = """
        SELECT \(names.map { "podcast.\($0)" }.joined(separator: ", ")), 0, episode.id, episode.key, episode.title, episode.about,
            episode.published_ms, episode.duration_ms, episode.url, episode.type, episode.bytes, episode.picture, episode.chapters
        FROM episode JOIN podcast ON podcast.id = episode.podcast
        """

    static func episode(_ row: Row) -> StoredEpisode {
        let first = Int32(names.count + 1)
        var episode = Episode(key: row.text(first + 1), title: row.text(first + 2), url: row.text(first + 6))
        episode.about = row.text(first + 3)
        episode.publishedMs = row.time(first + 4) == 0 ? nil : row.time(first + 4)
        episode.durationMs = row.maybeTime(first + 5)
        episode.type = row.text(first + 7)
        episode.bytes = row.isNull(first + 8) ? nil : row.int64(first + 8)
        episode.picture = row.maybeText(first + 9)
        episode.chapters = row.maybeText(first + 10)
        return StoredEpisode(id: row.text(first), podcast: podcast(row), episode)
    }
}
