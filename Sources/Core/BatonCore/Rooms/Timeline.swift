/// The position of a room in what it plays, as a line in the hub's monotonic time.
///
/// No message counts seconds: remotes compute the position from the line, and a new line is made only when something happens. So an hour of music
/// costs a remote almost nothing.
package struct Timeline: Equatable, Sendable {
    /// The state that clients show.
    package enum State: String, Sendable, CaseIterable {
        case stopped, paused, playing
        /// Playing is wanted, but data or the device is missing.
        case buffering

        /// The state of a room that does not play: stopped at the beginning, or paused behind it.
        static func standing(atMs position: Milliseconds) -> State { position > 0 ? .paused : .stopped }
    }

    /// The entry; `nil` in an empty queue.
    package var entry: EntryID?
    /// The position at `atUs`.
    package var positionMs: Milliseconds
    /// The moment at which `positionMs` was true.
    package var atUs: Microseconds
    /// Permille of normal speed; 0 while the position stands still.
    package var rate: Int
    /// The state, as clients show it; the position moves in `playing` alone.
    package var state: State
    /// The age of the sound of a station at `atUs`; `nil` while it is live.
    package var behindMs: Milliseconds?
    /// The age of a station's oldest recorded sound at `atUs`; `nil` where the hub records none.
    package var reachMs: Milliseconds?

    /// The line of a room with an empty queue.
    package static let stopped = Timeline(entry: nil, positionMs: 0, atUs: 0, rate: 0, state: .stopped)

    package init(entry: EntryID?, positionMs: Milliseconds, atUs: Microseconds, rate: Int, state: State) {
        self.entry = entry
        self.positionMs = positionMs
        self.atUs = atUs
        self.rate = rate
        self.state = state
    }

    /// True when playing is wanted, whether sound comes out yet or not.
    package var isPlaying: Bool { state == .playing || state == .buffering }

    /// The position at a moment. A moment before `atUs` gives `positionMs`, because a line may start a little in the future.
    package func positionMs(atUs nowUs: Microseconds, durationMs: Milliseconds? = nil) -> Milliseconds {
        let passedUs = max(0, nowUs.minus(atUs))
        let position = positionMs.plus(Milliseconds(passedUs).times(rate) / 1000)
        guard let durationMs else { return max(0, position) }
        return max(0, min(position, durationMs))
    }

    /// The age of the sound at a moment; it grows while the position stands still.
    package func behindMs(atUs nowUs: Microseconds) -> Milliseconds? {
        guard let behindMs else { return nil }
        return max(0, behindMs.plus(Milliseconds(max(0, nowUs.minus(atUs))).times(1000 - rate) / 1000))
    }

    /// The age of the oldest recorded sound at a moment. It grows as long as nothing is deleted.
    package func reachMs(atUs nowUs: Microseconds) -> Milliseconds? { reachMs.map { $0.plus(Milliseconds(max(0, nowUs.minus(atUs)))) } }

    /// True when remotes cannot show a visible difference between the two lines.
    package func isClose(to other: Timeline, atUs nowUs: Microseconds, withinMs tolerance: Milliseconds) -> Bool {
        entry == other.entry && rate == other.rate && state == other.state
            && (positionMs(atUs: nowUs) - other.positionMs(atUs: nowUs)).magnitude <= tolerance
    }
}
