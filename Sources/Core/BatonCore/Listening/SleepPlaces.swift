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
        /// Until a person has gone to some place since.
        package var isOffered: Bool

        package init(ended: HeardPoint, began: HeardPoint, pressed: HeardPoint, atMs: Int64, isOffered: Bool = true) {
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

    /// In a room where entries have other names.
    package func with(_ names: [EntryID: EntryID]) -> SleepPlaces {
        func named(_ point: HeardPoint?) -> HeardPoint? {
            point.flatMap { point in names[point.entry].map { HeardPoint($0, positionMs: point.positionMs) } }
        }
        var places = SleepPlaces(pressed: named(pressed), began: named(began))
        if let asleep, let ended = named(asleep.ended), let began = named(asleep.began), let pressed = named(asleep.pressed) {
            places.asleep = Asleep(ended: ended, began: began, pressed: pressed, atMs: asleep.atMs, isOffered: asleep.isOffered)
        }
        return places
    }
}

extension Room {
    func pointHeard(at now: Moment) -> HeardPoint? { queue.current.map { HeardPoint($0, positionMs: positionMs(at: now)) } }

    /// A person has pressed something: they were awake.
    mutating func notePress(_ command: Command, into outcome: inout Outcome, at now: Moment) {
        sleepPlaces.pressed = pointHeard(at: now)
        if command.goesElsewhere, outcome.status == .applied { endOffer(into: &outcome) }
        guard case .setSleep = command else { return }
        sleepPlaces.began = sleepPlaces.pressed
        sleepPlaces.asleep = nil
    }

    /// The places after a timer are not offered any more, although they are still known.
    mutating func endOffer(into outcome: inout Outcome) {
        guard sleepPlaces.asleep?.isOffered == true else { return }
        sleepPlaces.asleep?.isOffered = false
        outcome.touched.insert(.sleep)
    }

    /// The timer has ended the playing here.
    mutating func noteAsleep(at ended: HeardPoint?, _ now: Moment) {
        guard let ended else { return }
        let began = sleepPlaces.began ?? ended
        sleepPlaces.asleep = SleepPlaces.Asleep(ended: ended, began: began, pressed: sleepPlaces.pressed ?? began, atMs: now.wallMs)
        sleepPlaces.began = nil
    }
}

extension Command {
    /// Whether a person who gives it has decided where to go on. One who starts, pauses, skips a little or changes the volume may still
    /// be looking for the place.
    fileprivate var goesElsewhere: Bool {
        switch self {
        case .play(let entry, let positionMs): entry != nil || positionMs != nil
        case .next, .previous, .jump, .seek, .chapter, .stop, .clear, .replace: true
        default: false
        }
    }
}
