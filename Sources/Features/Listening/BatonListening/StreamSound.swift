import BatonCore
import BatonKernel
import BatonSeams

/// An entry as files for an encoder, with the position of each.
struct StreamSound: Sendable {
    struct Part: Sendable {
        var file: NamedFile
        /// The position in the entry at which it begins.
        var fromMs: Milliseconds
        /// The position in the file at which it begins.
        var skippedMs: Milliseconds
        /// The length; `nil` when it goes to the end of the file.
        var lengthMs: Milliseconds?
    }

    /// The feed of a station's sound.
    let feed: LiveFeed?

    let title: String
    let artist: String
    /// The files; empty for silence.
    let parts: [Part]
    /// True when a copy may soon be on disk.
    let isLater: Bool

    init(_ entry: QueueEntry, _ playable: Playable) {
        (title, artist) = Self.names(of: entry)
        var parts: [Part] = []
        var isLater = false
        switch playable.location {
        case .file(let file):
            let startMs = playable.startMs ?? 0
            parts = [Part(file: file, fromMs: 0, skippedMs: startMs, lengthMs: playable.endMs.map { max(0, $0 - startMs) })]
        case .parts(let files):
            var fromUs: Microseconds = 0
            for file in files {
                parts.append(Part(file: file.file, fromMs: Milliseconds(fromUs), skippedMs: 0))
                fromUs += file.lengthUs
            }
        case .bytes: isLater = !playable.isLive
        case .url: break
        }
        (self.parts, self.isLater, feed) = (parts, isLater, nil)
    }

    /// Makes silence for an entry. `isLater` is true when it may be audible soon.
    init(silent entry: QueueEntry, isLater: Bool = false) {
        (title, artist) = Self.names(of: entry)
        (parts, self.isLater, feed) = ([], isLater, nil)
    }

    @Loop
    init(_ entry: QueueEntry, _ feed: LiveFeed) {
        (title, artist) = Self.names(of: entry, feed.title)
        (parts, isLater, self.feed) = ([Part(file: feed.file, fromMs: 0, skippedMs: 0)], false, feed)
    }

    /// The names of an entry. A station's title comes from the feed, since a room without a speaker does not play the station
    /// itself.
    private static func names(of entry: QueueEntry, _ told: String? = nil) -> (title: String, artist: String) {
        let tags = entry.tags
        let told = tags.streamTitle ?? told
        return (told ?? tags.title, told == nil ? tags.artists.joined(separator: ", ") : "")
    }

    private init(_ title: String, by artist: String, sound: StreamSound) {
        (self.title, self.artist) = (title, artist)
        (parts, isLater, feed) = (sound.parts, sound.isLater, sound.feed)
    }

    /// The same sound with the entry's current names; `nil` while they are the same.
    @Loop
    func renamed(as entry: QueueEntry) -> StreamSound? {
        let (title, artist) = Self.names(of: entry, feed?.title)
        return (title, artist) == (self.title, self.artist) ? nil : StreamSound(title, by: artist, sound: self)
    }

    /// The title in the form that radios show.
    var shownTitle: String { artist.isEmpty ? title : title.isEmpty ? artist : "\(artist) - \(title)" }

    func part(at ms: Milliseconds) -> Int { parts.lastIndex { $0.fromMs <= ms } ?? 0 }

    func source(_ part: Int, fromMs: Milliseconds) -> EncodingSource {
        guard parts.indices.contains(part) else { return EncodingSource(title: title, artist: artist) }
        let found = parts[part]
        guard feed == nil else { return EncodingSource(title: title, artist: artist, .growing(found.file)) }
        return EncodingSource(
            title: title, artist: artist,
            .file(
                found.file, fromMs: found.skippedMs + max(0, fromMs - found.fromMs), untilMs: found.lengthMs.map { found.skippedMs + $0 }))
    }

    /// A change of names without a change of sound.
    var names: EncodingSource { EncodingSource(title: title, artist: artist, .same) }

    /// The position in the entry, for a position in the file of a part.
    func position(_ part: Int, atMs: Milliseconds) -> Milliseconds {
        guard parts.indices.contains(part) else { return atMs }
        return parts[part].fromMs + max(0, atMs - parts[part].skippedMs)
    }
}
