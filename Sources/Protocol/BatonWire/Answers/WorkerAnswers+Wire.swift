import BatonCore
package import BatonProtocol

/// How answers about workers are written as JSON and read from it.
extension WorkerList {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { answer in
            _ = answer.member("workers", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("workers") else { throw fields.missing("workers") }
        self.init(try fields.cappedList("workers", Row.init(from:)).elements)
    }
}

extension WorkerList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("kind", kind)
        writer.member("st", health.state.name)
        writer.flag("usual", isUsual)
        writer.flag("conf", isConfigured)
        writer.member("at", ifPresent: polledMs)
        health.encodeFacts(into: &writer)
        writer.member("url", ifPresent: url)
        writer.member("program", ifPresent: program)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            name: try fields.required("name", fields.text("name")), kind: try fields.text("kind") ?? "",
            isUsual: try fields.flag("usual"), isConfigured: try fields.flag("conf"), health: try WorkerTested(from: fields),
            polledMs: try fields.int64("at"), url: try fields.text("url"), program: try fields.text("program"))
    }
}

extension WorkerTested {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("st", state.name)
            encodeFacts(into: &answer)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) { try self.init(from: Fields(result: value)) }

    fileprivate func encodeFacts(into writer: inout JSONWriter) {
        writer.member("ms", ifPresent: latencyMs)
        if let sentence { writer.member("msg", writer.shown(sentence, DisplayText(bytes: 512))) }
        if !models.isEmpty { writer.member("models", models) }
        if !extensions.isEmpty { writer.member("can", extensions) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            state: WorkerState(name: try fields.required("st", fields.text("st"))), sentence: try fields.text("msg"),
            latencyMs: try fields.count("ms"), models: try fields.texts("models") ?? [], extensions: try fields.texts("can") ?? [])
    }
}
