/// The audible position of a room as a line in the hub's clock, and the start times for devices that play along.
package struct RoomLine: Equatable, Sendable {
    /// An item this close to its end is not started; the next one is.
    package static let endUs: Microseconds = 250_000

    /// The entry of the room that the line belongs to.
    package var entry: EntryID
    package var positionUs: Microseconds
    /// The moment on the hub's clock at which the position is heard.
    package var atUs: Microseconds
    /// Permille; 0 while the position stands still.
    package var rate: Int

    package init(entry: EntryID, positionUs: Microseconds, atUs: Microseconds, rate: Int) {
        self.entry = entry
        self.positionUs = positionUs
        self.atUs = atUs
        self.rate = rate
    }

    /// The position at a moment; before `atUs` it is the line's first position.
    package func positionUs(atUs nowUs: Microseconds) -> Microseconds {
        positionUs.plus(max(0, nowUs.minus(atUs)).times(rate) / 1000)
    }

    /// A start at `dueUs` of the hub's clock that brings an item waiting at `positionMs` in step with the room.
    package struct Start: Equatable, Sendable {
        /// The position in whole milliseconds, as players take it.
        package var positionMs: Milliseconds
        /// The moment on the hub's clock at which the device releases the sound.
        package var dueUs: Microseconds
    }

    /// A start that can be met when preparing it takes `leadUs`. `offsetUs` is how much earlier the device starts because its sound comes late. `nil`
    /// where the room stands still, or where the item is about to end.
    package func start(nowUs: Microseconds, leadUs: Microseconds, offsetUs: Microseconds = 0, lengthUs: Microseconds? = nil) -> Start? {
        guard rate > 0 else { return nil }
        let heardUs = max(nowUs.plus(max(0, leadUs)).plus(offsetUs), atUs)
        let reached = positionUs(atUs: heardUs)
        // Players take whole milliseconds, so the start is at the next whole one.
        let positionMs = max(0, Milliseconds(reached.plus(999)))
        let waitUs = Microseconds(positionMs).minus(reached).times(1000) / rate
        if let lengthUs, Microseconds(positionMs) > lengthUs.minus(Self.endUs) { return nil }
        return Start(positionMs: positionMs, dueUs: heardUs.plus(max(0, waitUs)).minus(offsetUs))
    }
}
