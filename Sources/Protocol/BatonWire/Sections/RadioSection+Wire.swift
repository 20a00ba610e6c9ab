import BatonCore
package import BatonProtocol

/// How `RadioSection` and what belongs to it are written as JSON and read from it.
extension RadioSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        let start = writer.count
        writer.object { section in
            section.member("n", count)
            let end = min(start + Section.radio.cap, section.bounds.message)
            section.members(of: presets, name: "list", more: more, budget: end - 24)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .radio)
        let (presets, more) = try fields.cappedList("list", Preset.init(from:))
        self.init(count: try fields.count("n") ?? presets.count, presets, more: more)
    }
}

extension RadioSection.Preset: ListElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { preset in
            preset.member("uri", uri.text)
            preset.member("title", preset.shown(title, .watch))
            preset.member("art", ifPresent: art)
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            ItemURI(try fields.required("uri", fields.text("uri"))), try fields.required("title", fields.text("title")),
            art: try fields.text("art"))
    }
}
