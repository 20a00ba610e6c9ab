/// Where the room is in what it plays, as a line in the hub's monotonic time.
///
/// No message counts seconds: a position is drawn from the line for any moment, and a new line is made
/// only when something happens. That is why an hour of music costs a remote almost nothing.
package struct Timeline: Equatable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        case stopped, paused, playing
        /// Playing is wanted, and data or the device is awaited.
        case buffering
    }

    package var entry: EntryID?
    package var positionMs: Int
    /// The moment at which `positionMs` was true.
    package var atUs: Int64
    /// Permille of normal speed; 0 whenever the position stands still.
    package var rate: Int
    package var state: State
    /// For a station that is not heard as it comes: how long ago the sound was received that is heard at `atUs`.
    package var behindMs: Int?
    /// For a station whose past the hub keeps: how far back that goes at `atUs`.
    package var reachMs: Int?

    package static let stopped = Timeline(entry: nil, positionMs: 0, atUs: 0, rate: 0, state: .stopped)

    package init(entry: EntryID?, positionMs: Int, atUs: Int64, rate: Int, state: State) {
        self.entry = entry
        self.positionMs = positionMs
        self.atUs = atUs
        self.rate = rate
        self.state = state
    }

    /// Playing is wanted, whether there is a sound yet or not.
    package var isPlaying: Bool { state == .playing || state == .buffering }

    /// The position at a moment. A moment before `atUs` gives `positionMs`: a line may start a
    /// little in the future.
    package func positionMs(atUs nowUs: Int64, durationMs: Int? = nil) -> Int {
        let passedUs = max(0, nowUs.minus(atUs))
        let position = positionMs.plus(Int(passedUs / 1000).times(rate) / 1000)
        guard let durationMs else { return max(0, position) }
        return max(0, min(position, durationMs))
    }

    /// How long ago the sound was received that is heard at a moment: that grows while the position stands still.
    package func behindMs(atUs nowUs: Int64) -> Int? {
        guard let behindMs else { return nil }
        return max(0, behindMs.plus(Int(max(0, nowUs.minus(atUs)) / 1000).times(1000 - rate) / 1000))
    }

    /// How far back the past of a station goes at a moment. It grows for as long as nothing of it is removed.
    package func reachMs(atUs nowUs: Int64) -> Int? { reachMs.map { $0.plus(Int(max(0, nowUs.minus(atUs)) / 1000)) } }

    /// Whether a remote that draws from this line could tell it from the other one.
    package func isClose(to other: Timeline, atUs nowUs: Int64, withinMs tolerance: Int) -> Bool {
        entry == other.entry && rate == other.rate && state == other.state
            && abs(positionMs(atUs: nowUs) - other.positionMs(atUs: nowUs)) <= tolerance
    }
}
