import BatonCore
package import BatonProtocol

/// How `VolumeSection` is written as JSON and read from it.
extension VolumeSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.object { volume in
            volume.member("level", level)
            volume.member("mute", isMuted)
            volume.member("range", range)
            volume.member("lowered", ifPresent: loweredFrom)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .volume)
        let bounds = try fields.list("range", count: 2...2, of: "a level") { $0.int.map { Int($0) } } ?? [0, 100]
        guard bounds[0] <= bounds[1] else { throw fields.fault("range", "The first of range must not exceed the second.") }
        self.init(
            level: try fields.required("level", fields.count("level")),
            isMuted: try fields.required("mute", fields.bool("mute")),
            range: bounds[0]...bounds[1],
            loweredFrom: try fields.count("lowered"))
    }
}
