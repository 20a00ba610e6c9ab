/// The volume of a room.
public struct VolumeSection: SectionContent {
    package static let section = Section.volume

    /// Perceived loudness, 0 to 100.
    public var level: Int
    public var isMuted: Bool
    /// The levels that the limits of the room allow.
    public var range: ClosedRange<Int>

    package init(level: Int, isMuted: Bool, range: ClosedRange<Int> = 0...100) {
        self.level = level
        self.isMuted = isMuted
        self.range = range
    }
}
