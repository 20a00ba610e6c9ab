/// A title in what is kept of a station: where its sound begins and ends. A gap that is longer than a moment ends it.
package struct PastTitle: Equatable, Sendable {
    package var text: String
    /// Where the station said it, which is before `places` when its beginning is not kept any more.
    package var said: Int64
    package var places: Range<Int64>
    package var beginsMs: Int64
    /// `nil` while it is on air.
    package var endsMs: Int64?
    /// Its beginning or its end is not kept.
    package var isPart: Bool

    /// Names it among all titles of the station. Places are divided, so that it is a whole number in every client for centuries.
    package var number: Int { Self.number(said) }

    /// The sound with which the station said it is still kept.
    package var hasBeginning: Bool { places.lowerBound == said }

    private static func number(_ place: Int64) -> Int { Int(place >> 4) }

    /// Titles of connections that began at this time, in milliseconds since 1970, have at least this number.
    package static func number(sinceMs timeMs: Int64) -> Int { number(StreamPlaces.first(atMs: timeMs)) }
}

/// How places are counted over restarts.
package enum StreamPlaces {
    /// A connection begins at the time in milliseconds times 4 KiB, which is behind whatever an earlier one has received.
    package static func first(atMs timeMs: Int64) -> Int64 { timeMs << 12 }
}

extension StreamPast {
    /// A shorter gap belongs to the title around it.
    private var longGapMs: Int64 { 30_000 }
    /// A server says what plays already with the first sound of a connection.
    private var firstTitleBytes: Int64 { 64 * 1024 }
    private var firstTitleMs: Int64 { 5_000 }

    /// Whether a title that is the first of a connection, which began at this place, was on air before it.
    private func isJoined(_ title: StreamTitle, _ connection: Int64) -> Bool {
        title.at - connection <= firstTitleBytes && title.timeMs - (timeMs(at: connection) ?? title.timeMs) < firstTitleMs
    }

    /// The titles that have any sound here, oldest first.
    package func pastTitles() -> [PastTitle] {
        let (all, gaps, kept) = (titles(), gaps(), places)
        var found: [PastTitle] = []
        for (index, title) in all.enumerated() {
            let next = index + 1 < all.count ? all[index + 1] : nil
            let begin = max(title.at, kept.lowerBound)
            let limit = next?.at ?? kept.upperBound
            let inside = gaps.filter { $0.at > begin && $0.at < limit }
            let gap = inside.first { $0.timesMs.upperBound - $0.timesMs.lowerBound > longGapMs }
            let end = min(limit, gap?.at ?? limit)
            guard begin < end, let beginsMs = timeMs(at: begin) else { continue }
            let connection = gaps.last { $0.at <= title.at }?.at ?? (index == 0 ? kept.lowerBound : .min)
            let isFirst = index == 0 || all[index - 1].at < connection
            let isJoined = isFirst && isJoined(title, connection)
            let isOnAir = next == nil && gap == nil && isReceiving
            let endsMs = gap?.timesMs.lowerBound ?? next?.timeMs ?? timeMs(at: end - 1) ?? beginsMs
            found.append(
                PastTitle(
                    text: title.text, said: title.at, places: begin..<end, beginsMs: beginsMs, endsMs: isOnAir ? nil : endsMs,
                    isPart: title.at < kept.lowerBound || isJoined || !inside.isEmpty || (next == nil && !isOnAir)))
        }
        return found
    }

    package func pastTitle(_ number: Int) -> PastTitle? { pastTitles().first { $0.number == number } }
}
