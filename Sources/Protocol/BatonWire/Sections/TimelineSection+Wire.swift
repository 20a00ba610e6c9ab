import BatonCore
package import BatonProtocol

/// How `TimelineSection` is written as JSON and read from it.
extension TimelineSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.object { line in
            line.member("entry", ifPresent: entry?.text)
            line.member("posMs", positionMs)
            line.member("atUs", atUs)
            line.member("rate", rate)
            line.member("st", state.name)
            if isLive { line.member("live", true) }
            line.member("behindMs", ifPresent: behindMs)
            line.member("pastMs", ifPresent: pastMs)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .timeline)
        self.init(
            entry: try fields.entry("entry"),
            positionMs: try fields.required("posMs", fields.count("posMs")),
            atUs: try fields.required("atUs", fields.int64("atUs")),
            rate: try fields.required("rate", fields.count("rate")),
            state: PlayState(name: try fields.required("st", fields.text("st"))),
            isLive: try fields.bool("live") ?? false, behindMs: try fields.count("behindMs"), pastMs: try fields.count("pastMs"))
    }
}
