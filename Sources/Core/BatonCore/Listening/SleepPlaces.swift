/// A moment of what a room has played.
public struct HeardPoint: Equatable, Sendable {
    public var entry: EntryID
    public var positionMs: Int

    package init(_ entry: EntryID, positionMs: Int) {
        self.entry = entry
        self.positionMs = positionMs
    }
}

/// The moments among which a person may have fallen asleep.
package struct SleepPlaces: Equatable, Sendable {
    /// Where the last command to the room was given.
    package var pressed: HeardPoint?
    /// Where the timer that runs was set.
    package var began: HeardPoint?
    /// Those of the timer that has ended the playing last.
    package var asleep: Asleep?

    package struct Asleep: Equatable, Sendable {
        package var ended: HeardPoint
        package var began: HeardPoint
        package var pressed: HeardPoint
        /// Wall clock.
        package var atMs: Int64

        package init(ended: HeardPoint, began: HeardPoint, pressed: HeardPoint, atMs: Int64) {
            self.ended = ended
            self.began = began
            self.pressed = pressed
            self.atMs = atMs
        }
    }

    package init(pressed: HeardPoint? = nil, began: HeardPoint? = nil, asleep: Asleep? = nil) {
        self.pressed = pressed
        self.began = began
        self.asleep = asleep
    }
}

extension Room {
    func pointHeard(at now: Moment) -> HeardPoint? { queue.current.map { HeardPoint($0, positionMs: positionMs(at: now)) } }

    /// A person has pressed something: they were awake.
    mutating func notePress(_ command: Command, at now: Moment) {
        sleepPlaces.pressed = pointHeard(at: now)
        guard case .setSleep = command else { return }
        sleepPlaces.began = sleepPlaces.pressed
        sleepPlaces.asleep = nil
    }

    /// The timer has ended the playing here.
    mutating func noteAsleep(at ended: HeardPoint?, _ now: Moment) {
        guard let ended else { return }
        let began = sleepPlaces.began ?? ended
        sleepPlaces.asleep = SleepPlaces.Asleep(ended: ended, began: began, pressed: sleepPlaces.pressed ?? began, atMs: now.wallMs)
        sleepPlaces.began = nil
    }
}
