package import BatonCore

/// A title in the recorded past of a station, with the beginning and end of its sound. A long gap ends it.
package struct PastTitle: Equatable, Sendable {
    /// The title as the station sent it.
    package var text: String
    /// The position at which the station sent it, which is before `positions` when its beginning is no longer recorded.
    package var said: Int64
    /// The recorded sound of the title, as positions of the station's past.
    package var positions: Range<Int64>
    /// The time at which the first recorded sound was received, in milliseconds since 1970.
    package var beginsMs: Milliseconds
    /// The end; `nil` while it is on air.
    package var endsMs: Milliseconds?
    /// True when its beginning or its end is missing.
    package var isPart: Bool

    /// The number of the title among all titles of the station. It is the position divided by 16, so that every client can represent it exactly for
    /// centuries.
    package var number: Int { Self.number(said) }

    /// True when the sound at which the station sent it is still recorded.
    package var hasBeginning: Bool { positions.lowerBound == said }

    private static func number(_ position: Int64) -> Int { Int(position >> 4) }

    /// The smallest number of titles from connections that began at this time, in milliseconds since 1970.
    package static func number(sinceMs timeMs: Milliseconds) -> Int { number(StreamPositions.first(atMs: timeMs)) }
}

/// The numbering of positions across restarts.
package enum StreamPositions {
    /// The first position of a connection: its time in milliseconds times 4 KiB, which is beyond everything that earlier ones received.
    package static func first(atMs timeMs: Milliseconds) -> Int64 { timeMs.count << 12 }
}

extension StationPast {
    /// A shorter gap belongs to the title around it.
    private var longGapMs: Milliseconds { 30_000 }
    /// A title this early in a connection was already playing, because servers send the current title with the first sound.
    private var firstTitleBytes: Int64 { 64 * 1024 }
    private var firstTitleMs: Milliseconds { 5_000 }

    /// True when the first title of a connection was on air before the connection began at this position.
    private func isJoined(_ title: StreamTitle, _ connection: Int64) -> Bool {
        title.at - connection <= firstTitleBytes && title.timeMs - (timeMs(at: connection) ?? title.timeMs) < firstTitleMs
    }

    /// The titles that have any recorded sound, the oldest first.
    package func pastTitles() -> [PastTitle] {
        let (all, gaps, kept) = (titles(), gaps(), positions)
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
                    text: title.text, said: title.at, positions: begin..<end, beginsMs: beginsMs, endsMs: isOnAir ? nil : endsMs,
                    isPart: title.at < kept.lowerBound || isJoined || !inside.isEmpty || (next == nil && !isOnAir)))
        }
        return found
    }

    /// The title with this number; `nil` when none of its sound is recorded any more.
    package func pastTitle(_ number: Int) -> PastTitle? { pastTitles().first { $0.number == number } }
}
