/// The audible position of a room as a line in the hub's clock, and the start times for devices that play along.
package struct RoomLine: Equatable, Sendable {
    /// An item this close to its end is not started; the next one is.
    package static let endUs: Int64 = 250_000

    /// The entry of the room that the line belongs to.
    package var entry: EntryID
    package var positionUs: Int64
    /// The moment on the hub's clock at which the position is heard.
    package var atUs: Int64
    /// Permille; 0 while the position stands still.
    package var rate: Int

    package init(entry: EntryID, positionUs: Int64, atUs: Int64, rate: Int) {
        self.entry = entry
        self.positionUs = positionUs
        self.atUs = atUs
        self.rate = rate
    }

    /// The position at a moment; before `atUs` it is the line's first position.
    package func positionUs(atUs nowUs: Int64) -> Int64 {
        positionUs.plus(max(0, nowUs.minus(atUs)).times(Int64(rate)) / 1000)
    }

    /// A start at `dueUs` of the hub's clock that brings an item waiting at `positionMs` in step with the room.
    package struct Start: Equatable, Sendable {
        /// The position in whole milliseconds, as players take it.
        package var positionMs: Int
        /// The moment on the hub's clock at which the device releases the sound.
        package var dueUs: Int64
    }

    /// A start that can be met when preparing it takes `leadUs`. `offsetUs` is how much earlier the device starts because its sound comes late. `nil`
    /// where the room stands still, or where the item is about to end.
    package func start(nowUs: Int64, leadUs: Int64, offsetUs: Int64 = 0, lengthUs: Int64? = nil) -> Start? {
        guard rate > 0 else { return nil }
        let heardUs = max(nowUs.plus(max(0, leadUs)).plus(offsetUs), atUs)
        let reached = positionUs(atUs: heardUs)
        // Players take whole milliseconds, so the start is at the next whole one.
        let positionMs = max(0, reached.plus(999) / 1000)
        let waitUs = positionMs.times(1000).minus(reached).times(1000) / Int64(rate)
        if let lengthUs, positionMs.times(1000) > lengthUs.minus(Self.endUs) { return nil }
        return Start(positionMs: Int(positionMs), dueUs: heardUs.plus(max(0, waitUs)).minus(offsetUs))
    }
}
