import BatonCore
package import BatonProtocol

/// How `SourcesSection` and what belongs to it are written as JSON and read from it.
extension SourcesSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) { writer.list(sources, more: more, cap: Section.sources.cap) }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .sources)
        let (sources, more) = try fields.cappedList("list", Source.init(from:))
        self.init(sources, more: more)
    }
}

extension SourcesSection.Source: ListElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { source in
            source.member("name", name)
            source.member("kind", kind)
            source.member("title", source.shown(title, .watch))
            source.member("state", state.name)
            source.member("sinceMs", ifPresent: sinceMs)
            if let sentence { source.member("msg", source.shown(sentence, DisplayText(bytes: 160))) }
            source.member("ms", ifPresent: latencyMs)
            if pending > 0 { source.member("pending", pending) }
            if refused > 0 { source.member("refused", refused) }
            if repeated > 0 { source.member("repeated", repeated) }
            if !abilities.isEmpty { source.member("can", abilities) }
            if let mirror { source.member("mirror", object: mirror.encodeMembers) }
            if let saved { source.member("continue", object: saved.encodeMembers) }
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            name: try fields.required("name", fields.text("name")), kind: try fields.text("kind") ?? "",
            title: try fields.required("title", fields.text("title")),
            state: SourcesSection.State(name: try fields.required("state", fields.text("state"))), sinceMs: try fields.int64("sinceMs"),
            sentence: try fields.text("msg"), latencyMs: try fields.count("ms"), pending: try fields.count("pending") ?? 0,
            refused: try fields.count("refused") ?? 0, repeated: try fields.count("repeated") ?? 0,
            abilities: try fields.texts("can") ?? [],
            mirror: try fields.fields("mirror").map { mirror throws(ProtocolFault) in try SourcesSection.Mirror(from: mirror) },
            saved: try fields.fields("continue").map { saved throws(ProtocolFault) in try SourcesSection.Continue(from: saved) })
    }
}

extension SourcesSection.Mirror {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("rows", rows)
        writer.member("atMs", ifPresent: atMs)
        writer.member("done", ifPresent: done)
        writer.member("total", ifPresent: total)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            rows: try fields.count("rows") ?? 0, atMs: try fields.int64("atMs"), done: try fields.count("done"),
            total: try fields.count("total"))
    }
}

extension SourcesSection.Continue {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("title", writer.shown(title, .watch))
        writer.member("ms", positionMs)
        writer.member("atMs", ifPresent: atMs)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            title: try fields.text("title") ?? "", positionMs: try fields.count("ms") ?? 0, atMs: try fields.int64("atMs"))
    }
}
