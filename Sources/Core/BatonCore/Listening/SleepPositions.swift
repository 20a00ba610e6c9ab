/// A position in an entry that a room has played.
public struct HeardPoint: Equatable, Sendable {
    /// The entry, which may have left the queue since.
    public var entry: EntryID
    /// The position in the entry, silences included.
    public var positionMs: Milliseconds

    package init(_ entry: EntryID, positionMs: Milliseconds) {
        self.entry = entry
        self.positionMs = positionMs
    }
}

/// The positions among which a person may have fallen asleep.
package struct SleepPositions: Equatable, Sendable {
    /// The position at the last command to the room.
    package var pressed: HeardPoint?
    /// The position where the running timer was set.
    package var began: HeardPoint?
    /// The positions of the last timer that paused the room.
    package var asleep: Asleep?

    /// The positions that are offered after a timer has paused the room.
    package struct Asleep: Equatable, Sendable {
        /// The position at which the timer ended.
        package var ended: HeardPoint
        /// The position where the timer was set.
        package var began: HeardPoint
        /// The position of the last press, which was made by a person awake.
        package var pressed: HeardPoint
        /// Wall clock time.
        package var atMs: Milliseconds
        /// True until a person has gone to another position.
        package var isOffered: Bool

        package init(ended: HeardPoint, began: HeardPoint, pressed: HeardPoint, atMs: Milliseconds, isOffered: Bool = true) {
            self.ended = ended
            self.began = began
            self.pressed = pressed
            self.atMs = atMs
            self.isOffered = isOffered
        }
    }

    package init(pressed: HeardPoint? = nil, began: HeardPoint? = nil, asleep: Asleep? = nil) {
        self.pressed = pressed
        self.began = began
        self.asleep = asleep
    }

    /// The same positions in a room where the entries have other ids.
    package func with(_ names: [EntryID: EntryID]) -> SleepPositions {
        func named(_ point: HeardPoint?) -> HeardPoint? {
            point.flatMap { point in names[point.entry].map { HeardPoint($0, positionMs: point.positionMs) } }
        }
        var places = SleepPositions(pressed: named(pressed), began: named(began))
        if let asleep, let ended = named(asleep.ended), let began = named(asleep.began), let pressed = named(asleep.pressed) {
            places.asleep = Asleep(ended: ended, began: began, pressed: pressed, atMs: asleep.atMs, isOffered: asleep.isOffered)
        }
        return places
    }
}

extension Room {
    @inline(__always)
    func pointHeard(at now: Moment) -> HeardPoint? { queue.current.map { HeardPoint($0, positionMs: positionMs(at: now)) } }

    /// Notes the position of a press, which shows that a person is awake.
    mutating func notePress(_ command: Command, into outcome: inout Outcome, at now: Moment) {
        sleepPositions.pressed = pointHeard(at: now)
        if command.goesElsewhere, outcome.status == .applied { endOffer(into: &outcome) }
        guard case .setSleep = command else { return }
        sleepPositions.began = sleepPositions.pressed
        sleepPositions.asleep = nil
    }

    /// Stops offering the positions; they are still stored.
    mutating func endOffer(into outcome: inout Outcome) {
        guard sleepPositions.asleep?.isOffered == true else { return }
        sleepPositions.asleep?.isOffered = false
        outcome.touched.insert(.sleep)
    }

    /// Notes that the timer has paused the room here.
    mutating func noteAsleep(at ended: HeardPoint?, _ now: Moment) {
        guard let ended else { return }
        let began = sleepPositions.began ?? ended
        sleepPositions.asleep = SleepPositions.Asleep(
            ended: ended, began: began, pressed: sleepPositions.pressed ?? began, atMs: now.wallMs)
        sleepPositions.began = nil
    }
}

extension Command {
    /// True when the command decides where to go on. Playing, pausing, skipping a little or changing the volume may be part of looking for the place.
    fileprivate var goesElsewhere: Bool {
        switch self {
        case .play(let entry, let positionMs): entry != nil || positionMs != nil
        case .next, .previous, .jump, .seek, .chapter, .stop, .clear, .replace: true
        default: false
        }
    }
}
