/// The volume of a room, and the limits that keep it from being louder than its owner allows.
package struct VolumeRail: Equatable, Sendable {
    /// The volume from 0 to 100, as people hear it.
    package private(set) var level: Int
    /// True while the room is silenced; the level stays for later.
    package var muted = false
    /// The lowest level that people may set.
    package private(set) var floor: Int
    /// The highest level that people may set.
    package private(set) var ceiling: Int
    /// The highest level at the start of the hub, whatever it was before. Never below `floor`, so that both limits can hold.
    package private(set) var startMax: Int
    /// The level before a restart lowered it to `startMax`; `nil` once the level has changed since.
    package private(set) var loweredFrom: Int?
    /// The level that the music had in the room it came from, where the limits here do not allow it. The next room that the music moves to uses it,
    /// so that the level does not drift on the way. `nil` once a person changes the level.
    package private(set) var carried: Int?

    /// The level of a new room.
    package static let defaultLevel = 30

    /// A volume within its limits; values out of order or out of range become the nearest ones that fit.
    package init(level: Int = Self.defaultLevel, floor: Int = 0, ceiling: Int = 100, startMax: Int = 50) {
        self.floor = max(0, min(floor, 100))
        self.ceiling = max(self.floor, min(ceiling, 100))
        self.startMax = max(self.floor, min(startMax, 100))
        self.level = max(self.floor, min(level, self.ceiling))
    }

    /// The limit that a level met.
    package enum Bound: Equatable, Sendable { case floor, ceiling }

    /// Sets the level as close to `wanted` as the limits allow, and returns the limit that it met.
    package mutating func set(to wanted: Int) -> Bound? {
        let before = level
        level = max(floor, min(wanted, ceiling))
        if level != before { loweredFrom = nil }
        carried = nil
        return wanted > ceiling ? .ceiling : wanted < floor ? .floor : nil
    }

    /// Changes the limits; `nil` leaves a limit as it is. The level moves into the new range.
    package mutating func set(_ change: RailChange) throws(Refusal) {
        let floor = change.floor ?? floor
        let ceiling = change.ceiling ?? ceiling
        guard floor <= ceiling else {
            throw Refusal(.invalidState, "The floor (\(floor)) would be above the ceiling (\(ceiling)).")
        }
        if let startMax = change.startMax, startMax < floor {
            throw Refusal(.invalidState, "The room would start below its floor: startMax is \(startMax), and the floor \(floor).")
        }
        var rail = VolumeRail(level: level, floor: floor, ceiling: ceiling, startMax: change.startMax ?? startMax)
        rail.muted = muted
        if rail.level == level { (rail.loweredFrom, rail.carried) = (loweredFrom, carried) }
        self = rail
    }

    /// Takes over the level of a room whose music goes on here, as far as the limits allow. Because this room begins to sound, it gets no louder than
    /// it may be after a restart, unless it is louder already.
    package mutating func take(levelOf other: VolumeRail) {
        let wanted = other.carried ?? other.level
        let taken = max(floor, min(wanted, ceiling, max(level, startMax)))
        if taken != level { loweredFrom = nil }
        level = taken
        carried = taken == wanted ? nil : wanted
    }

    /// The same volume after a restart, at most `startMax`.
    package func afterRestart() -> VolumeRail {
        var rail = self
        rail.level = min(level, startMax)
        if rail.level < level { rail.loweredFrom = level }
        return rail
    }

    /// Linear amplitude. A cube follows human hearing closely enough and reaches silence at 0.
    package var gain: Double {
        if muted { return 0 }
        let part = Double(level) / 100
        return part * part * part
    }
}

/// A subset of the limits; `nil` leaves a limit as it is.
package struct RailChange: Equatable, Sendable {
    /// The lowest level, from 0 to 100.
    package var floor: Int?
    /// The highest level, from 0 to 100.
    package var ceiling: Int?
    /// The highest level at a start of the hub.
    package var startMax: Int?

    package init(floor: Int? = nil, ceiling: Int? = nil, startMax: Int? = nil) {
        self.floor = floor
        self.ceiling = ceiling
        self.startMax = startMax
    }
}
