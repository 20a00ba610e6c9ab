/// The volume of a room.
public struct VolumeSection: SectionContent {
    package static let section = Section.volume

    /// Perceived loudness, 0 to 100.
    public var level: Int
    public var isMuted: Bool
    /// The levels that the limits of the room allow.
    public var range: ClosedRange<Int>

    /// The level before a restart of the hub that lowered it, until the level is changed.
    public var loweredFrom: Int?

    package init(level: Int, isMuted: Bool, range: ClosedRange<Int> = 0...100, loweredFrom: Int? = nil) {
        self.level = level
        self.isMuted = isMuted
        self.range = range
        self.loweredFrom = loweredFrom
    }
}
