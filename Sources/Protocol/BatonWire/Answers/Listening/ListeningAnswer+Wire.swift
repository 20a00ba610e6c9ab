import BatonCore
package import BatonProtocol

/// How `ListeningAnswer` and what belongs to it are written as JSON and read from it.
extension ListeningAnswer {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            if let line { answer.member("line", object: line.encodeMembers) }
            guard let items else { return }
            answer.member("items", array: { list in for item in items { list.object(item.encodeMembers) } })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            line: try fields.fields("line").map(Line.init(from:)),
            items: fields.has("items") ? try fields.cappedList("items", Item.init(from:)).elements : nil)
    }
}

extension ListeningAnswer.Line {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("entry", entry.text)
        writer.member("posUs", positionUs)
        writer.member("atUs", atUs)
        writer.member("rate", rate)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            entry: try fields.required("entry", fields.text("entry").flatMap(EntryID.init(text:))),
            positionUs: try fields.required("posUs", fields.int64("posUs")), atUs: try fields.required("atUs", fields.int64("atUs")),
            rate: try fields.required("rate", fields.count("rate")))
    }
}

extension ListeningAnswer.Item {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("entry", entry.text)
        if let media {
            writer.member("url", media.url)
            writer.member("untilMs", media.untilMs)
        }
        writer.member("startMs", ifPresent: startMs)
        writer.member("endMs", ifPresent: endMs)
        if let sentence { writer.member("msg", writer.shown(sentence, DisplayText(bytes: 512))) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(try fields.required("entry", fields.text("entry").flatMap(EntryID.init(text:))))
        if let url = try fields.text("url") { media = .init(url: url, untilMs: try fields.int64("untilMs") ?? 0) }
        startMs = try fields.count("startMs")
        endMs = try fields.count("endMs")
        sentence = try fields.text("msg")
    }
}

extension ListenerReport {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("driftUs", ifPresent: driftUs)
        writer.member("delayMs", ifPresent: delayMs)
        writer.member("bufferMs", ifPresent: bufferMs)
        writer.member("starts", ifPresent: starts)
    }

    /// A number out of its bounds is none.
    init(from fields: Fields) throws(ProtocolFault) {
        func bounded(_ name: String, _ range: ClosedRange<Int>) throws(ProtocolFault) -> Int? {
            try fields.int64(name).flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        self.init(
            driftUs: try bounded("driftUs", Self.drifts), delayMs: try bounded("delayMs", Self.delays),
            bufferMs: try bounded("bufferMs", Self.buffers), starts: try bounded("starts", Self.startCounts))
    }
}
