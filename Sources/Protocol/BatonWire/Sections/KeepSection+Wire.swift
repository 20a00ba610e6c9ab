package import BatonProtocol

/// How `KeepSection` is written as JSON and read from it.
extension KeepSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.object { section in
            section.member("rev", revision)
            section.member("tracks", tracks)
            section.member("whole", whole)
            section.member("bytes", bytes)
            section.member("limit", limit)
            if !fetching.isEmpty {
                section.member(
                    "now",
                    array: { list in
                        for track in fetching.prefix(2) {
                            list.object {
                                $0.member("title", $0.shown(track.title, .watch))
                                $0.member("pct", track.percent)
                            }
                        }
                    })
            }
            if let sentence { section.member("msg", section.shown(sentence, DisplayText(bytes: 144))) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .keeping)
        self.init(
            revision: try fields.required("rev", fields.count("rev")), tracks: try fields.count("tracks") ?? 0,
            whole: try fields.count("whole") ?? 0, bytes: try fields.int64("bytes") ?? 0, limit: try fields.int64("limit") ?? 0,
            fetching: try fields.cappedList("now") { track throws(ProtocolFault) in
                Fetching(title: try track.text("title") ?? "", percent: try track.count("pct") ?? 0)
            }.elements, sentence: try fields.text("msg"))
    }
}
