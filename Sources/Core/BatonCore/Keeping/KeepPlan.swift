/// The tracks that are kept, and the order in which missing ones are fetched.
///
/// A value. It is told the wishes and the results of fetching, and answers which track comes next and which copies are not needed any more. Nothing
/// here knows of servers, files or time, which are arguments.
package struct KeepPlan: Sendable {
    /// A track of at least one wish.
    package struct Track: Equatable, Sendable {
        /// The title for people; empty until it was looked up.
        package var title: String
        /// Size of the complete copy; `nil` while there is none.
        package var bytes: Int64?
        /// The progress of fetching; `nil` while it is not being fetched.
        package var progress: Progress?
        /// True when the server does not have it any more.
        package var hasLeft = false
        /// The last failure; `nil` after a success, and before the first try.
        package var trouble: Trouble?
        /// Number of wishes that include it.
        fileprivate(set) var holders = 0

        package init(title: String, bytes: Int64? = nil, hasLeft: Bool = false) {
            self.title = title
            self.bytes = bytes
            self.hasLeft = hasLeft
        }

        fileprivate var percent: Int {
            if bytes != nil { return 100 }
            guard let progress, let total = progress.total, total > 0 else { return 0 }
            return Int(min(99, progress.done * 100 / total))
        }
    }

    /// The progress of one fetch, which is shown and not stored.
    package struct Progress: Equatable, Sendable {
        /// Bytes that were fetched so far, those of earlier attempts included.
        package var done: Int64
        /// Size of the whole track; `nil` where the server does not tell it.
        package var total: Int64?

        package init(done: Int64, total: Int64? = nil) {
            self.done = done
            self.total = total
        }
    }

    /// The reason why a track could not be fetched, and the time of the next try.
    package struct Trouble: Equatable, Sendable {
        package var sentence: String
        /// Number of failures in a row.
        package var tries: Int
        /// The earliest time of the next try, on the monotonic clock.
        package var untilUs: Microseconds
    }

    /// A wish and the tracks that it stands for now.
    package struct Entry: Equatable, Sendable {
        /// The wish, whose name identifies the entry.
        package var wish: KeepWish
        /// The title of the item or of the rule, as people see it.
        package var title: String
        /// The kind of the item; `nil` for a rule.
        package var kind: ItemKind?
        /// Its tracks in their order, each once.
        package var members: [ItemURI]
        /// The reason why its tracks could not be looked up; the known ones stay.
        package var problem: String?
        /// Number of its tracks with a complete copy.
        package fileprivate(set) var whole = 0

        package init(_ wish: KeepWish, title: String, kind: ItemKind? = nil, members: [ItemURI] = []) {
            self.wish = wish
            self.title = title
            self.kind = kind
            self.members = members
        }
    }

    /// The wishes in the order in which they were made, which is that of fetching.
    package private(set) var entries: [Entry] = []
    /// All tracks of all wishes; a track of several wishes is there once.
    package private(set) var tracks: [ItemURI: Track] = [:]
    /// Size of all complete copies.
    package private(set) var bytes: Int64 = 0
    /// Number of tracks with a complete copy.
    package private(set) var wholeCount = 0
    /// Indices in `entries` of the wishes for items.
    private var places: [ItemURI: Int] = [:]
    /// Limits memory, and the work of looking for the next track.
    package static let mostTracks = 20_000
    /// Number of wishes that a hub accepts.
    package static let mostWishes = 500

    package init() {}

    // MARK: - Wishes

    /// The entry of a wish with the same name; a rule with another number is the same wish.
    package func entry(of wish: KeepWish) -> Entry? { entries.first { $0.wish.name == wish.name } }

    /// Adds a wish, or replaces the one with its name. Tracks that are not needed any more are returned and forgotten.
    @discardableResult
    package mutating func put(_ entry: Entry, _ known: [ItemURI: Track]) -> [ItemURI] {
        var seen: Set<ItemURI> = []
        var entry = entry
        entry.members = entry.members.filter { seen.insert($0).inserted }
        for uri in entry.members {
            if tracks[uri] == nil {
                // No other wish includes it, so their counts stay.
                tracks[uri] = Track(title: known[uri]?.title ?? "", bytes: known[uri]?.bytes)
                if let bytes = known[uri]?.bytes {
                    self.bytes += bytes
                    wholeCount += 1
                }
            }
            if let track = known[uri] {
                if !track.title.isEmpty { tracks[uri]?.title = track.title }
                tracks[uri]?.hasLeft = track.hasLeft
            }
            tracks[uri]?.holders += 1
        }
        let at = entries.firstIndex { $0.wish.name == entry.wish.name }
        let old = at.map { entries[$0].members } ?? []
        entry.whole = entry.members.count { tracks[$0]?.bytes != nil }
        if let at { entries[at] = entry } else { entries.append(entry) }
        listPlaces()
        return release(old)
    }

    /// Notes why the tracks of a wish could not be looked up; `nil` when they could.
    package mutating func note(_ problem: String?, of wish: KeepWish) {
        guard let at = entries.firstIndex(where: { $0.wish.name == wish.name }) else { return }
        entries[at].problem = problem
    }

    /// Removes a wish. Tracks that are not needed any more are returned and forgotten.
    package mutating func remove(_ wish: KeepWish) -> [ItemURI] {
        guard let at = entries.firstIndex(where: { $0.wish.name == wish.name }) else { return [] }
        let old = entries.remove(at: at)
        listPlaces()
        return release(old.members)
    }

    private mutating func release(_ uris: [ItemURI]) -> [ItemURI] {
        var dropped: [ItemURI] = []
        for uri in uris {
            guard var track = tracks[uri] else { continue }
            track.holders -= 1
            tracks[uri] = track
            guard track.holders == 0 else { continue }
            if let bytes = track.bytes {
                self.bytes -= bytes
                wholeCount -= 1
            }
            tracks[uri] = nil
            dropped.append(uri)
        }
        return dropped
    }

    private mutating func listPlaces() {
        places = [:]
        for (at, entry) in entries.enumerated() { if case .item(let uri) = entry.wish { places[uri] = at } }
    }

    // MARK: - Fetching

    /// The first track without a complete copy, in the order of the wishes.
    package func next(except busy: Set<ItemURI>, nowUs: Microseconds, isAble: (ItemURI) -> Bool) -> ItemURI? {
        for entry in entries where entry.whole < entry.members.count {
            for uri in entry.members {
                guard let track = tracks[uri], track.bytes == nil, !track.hasLeft, !busy.contains(uri) else { continue }
                if let trouble = track.trouble, trouble.untilUs > nowUs { continue }
                if isAble(uri) { return uri }
            }
        }
        return nil
    }

    /// The earliest time at which a failed track may be tried again.
    package func nextTryUs() -> Microseconds? {
        tracks.values.lazy.filter { $0.bytes == nil && !$0.hasLeft }.compactMap(\.trouble?.untilUs).min()
    }

    /// Notes how far a fetch is; `nil` when it has stopped.
    package mutating func note(_ progress: Progress?, of uri: ItemURI) { tracks[uri]?.progress = progress }

    /// Notes a complete copy, which may replace an earlier one of another size.
    package mutating func finished(_ uri: ItemURI, bytes new: Int64) {
        guard var track = tracks[uri] else { return }
        if let old = track.bytes { bytes -= old } else { count(uri, 1) }
        track.bytes = new
        track.progress = nil
        track.trouble = nil
        tracks[uri] = track
        bytes += new
    }

    /// Delays the next try by a minute, doubled with each failure, at most an hour.
    package mutating func failed(_ uri: ItemURI, _ sentence: String, nowUs: Microseconds, isGone: Bool = false) {
        guard var track = tracks[uri] else { return }
        let tries = (track.trouble?.tries ?? 0) + 1
        let wait: Microseconds = min(3_600_000_000, 60_000_000 * (1 << min(tries - 1, 6)))
        track.trouble = Trouble(sentence: sentence, tries: tries, untilUs: nowUs + wait)
        track.progress = nil
        track.hasLeft = track.hasLeft || isGone
        tracks[uri] = track
    }

    /// Lets all these tracks be tried at once, as when their server is back.
    package mutating func forgetTroubles(of isMeant: (ItemURI) -> Bool) {
        for (uri, track) in tracks where track.trouble != nil && isMeant(uri) { tracks[uri]?.trouble?.untilUs = 0 }
    }

    /// Notes that the copy is missing or was changed, so that it is fetched again.
    package mutating func lose(_ uri: ItemURI) {
        guard var track = tracks[uri], let old = track.bytes else { return }
        track.bytes = nil
        tracks[uri] = track
        bytes -= old
        count(uri, -1)
    }

    private mutating func count(_ uri: ItemURI, _ change: Int) {
        wholeCount += change
        for at in entries.indices where entries[at].members.contains(uri) { entries[at].whole += change }
    }

    // MARK: - Looking

    /// The mark of an item; `nil` when it is not kept. A container has a mark only if a person named the container itself.
    package func mark(of uri: ItemURI) -> KeepMark? {
        if let track = tracks[uri] { return KeepMark(percent: track.percent, hasLeft: track.hasLeft) }
        guard let at = places[uri] else { return nil }
        let entry = entries[at]
        guard !entry.members.isEmpty else { return KeepMark(percent: 0) }
        return KeepMark(percent: entry.whole * 100 / entry.members.count)
    }

    /// Size of the complete copies of one wish. Tracks of several wishes count for each of them.
    package func bytes(of entry: Entry) -> Int64 { entry.members.reduce(0) { $0 + (tracks[$1]?.bytes ?? 0) } }
}
