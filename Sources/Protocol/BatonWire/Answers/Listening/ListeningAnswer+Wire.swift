import BatonCore
import BatonProtocol

/// How `ListeningAnswer.Item` and `ListenerReport` are written as JSON and read from it.
extension ListeningAnswer.Item {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("entry", entry.text)
        if let media {
            writer.member("url", media.url)
            writer.member("untilMs", media.untilMs)
        }
        writer.member("startMs", ifPresent: startMs)
        writer.member("endMs", ifPresent: endMs)
        if let sentence { writer.member("msg", writer.shown(sentence, DisplayText(bytes: 512))) }
    }

    init(from fields: Fields) throws(ProtocolFault) {
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
