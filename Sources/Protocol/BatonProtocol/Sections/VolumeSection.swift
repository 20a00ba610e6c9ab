/// How loud a room is.
public struct VolumeSection: SectionContent {
    package static let section = Section.volume

    /// Perceived loudness, 0 to 100.
    public var level: Int
    public var isMuted: Bool
    /// What the room's owner allows.
    public var range: ClosedRange<Int>

    package init(level: Int, isMuted: Bool, range: ClosedRange<Int> = 0...100) {
        self.level = level
        self.isMuted = isMuted
        self.range = range
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { volume in
            volume.member("level", level)
            volume.member("mute", isMuted)
            volume.member("range", range)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .volume)
        level = try fields.required("level", fields.count("level"))
        isMuted = try fields.required("mute", fields.bool("mute"))
        let bounds = try fields.list("range", count: 2...2, of: "a level") { $0.int.map { Int($0) } } ?? [0, 100]
        guard bounds[0] <= bounds[1] else { throw fields.fault("range", "The first of range must not exceed the second.") }
        range = bounds[0]...bounds[1]
    }
}
