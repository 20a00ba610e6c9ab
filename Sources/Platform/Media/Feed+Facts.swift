package import BatonCore
package import BatonReading

/// Interpretation of a feed's texts. A malicious feed may control the reader, so each text is checked here again.
extension Feed {
    package init(_ facts: FeedFacts) {
        let podcast = FeedText(facts.podcast)
        let named = facts.episodes.compactMap { FeedText($0).episode }
        let (episodes, shared) = EpisodeKeys.apart(named)
        self.init(
            PodcastFacts(
                title: podcast.line(.title, PodcastText.titleBytes), author: podcast.line(.author, PodcastText.authorBytes),
                about: podcast.about, picture: podcast.address(.picture)),
            episodes, movedTo: podcast.address(.movedTo),
            sentence: Self.sentence(shared: shared, nowhere: facts.episodes.count - named.count, isCut: facts.isCut))
    }

    private static func sentence(shared: Int, nowhere: Int, isCut: Bool) -> String? {
        let parts = [
            shared > 0 ? "\(shared) episodes have the GUID of another one; they are told apart by the addresses of their sound." : nil,
            nowhere > 0 ? "\(nowhere) episodes name no http or https address, so they were left out." : nil,
            isCut ? "The feed names more episodes than are read; the last ones in it were left out." : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

private struct FeedText {
    let texts: FeedFacts.Texts

    init(_ texts: FeedFacts.Texts) { self.texts = texts }

    private func text(_ field: FeedFacts.Field) -> String { texts[field].map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// Titles contain entities too, since many programs write HTML into them.
    func line(_ field: FeedFacts.Field, _ bytes: Int) -> String {
        StationText.line(PlainText.of(markup: text(field), bytes: bytes), to: bytes)
    }

    var about: String { PlainText.of(markup: text(.about), bytes: PodcastText.aboutBytes) }

    func address(_ field: FeedFacts.Field) -> String? {
        WebAddress(text(field).replacing(" ", with: "%20")).flatMap { $0.text.utf8.count <= PodcastText.urlBytes ? $0.text : nil }
    }

    /// `nil` without an address for the sound.
    var episode: Episode? {
        guard let url = address(.url) else { return nil }
        let guid = StationText.line(text(.guid), to: PodcastText.keyBytes)
        let title = line(.title, PodcastText.titleBytes)
        var episode = Episode(key: guid.isEmpty ? url : guid, title: title.isEmpty ? WebAddress.title(of: url) : title, url: url)
        episode.about = about
        episode.publishedMs = FeedTime.moment(text(.published))
        episode.durationMs = FeedTime.length(text(.length))
        episode.type = StationText.line(text(.type), to: 100).lowercased()
        // Many feeds write 0 for an unknown size.
        episode.bytes = Int64(text(.bytes)).flatMap { $0 > 0 ? $0 : nil }
        episode.picture = address(.picture)
        episode.chapters = address(.chapters)
        return episode
    }
}
