import BatonCore
package import BatonProtocol

/// How the answers about accounts at servers are written as JSON and read from it.
extension SourceList {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { answer in
            answer.name("kinds")
            answer.array { list in for kind in kinds { list.object(kind.encodeMembers) } }
            _ = answer.member("sources", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("sources") else { throw fields.missing("sources") }
        self.init(
            try fields.cappedList("sources", Row.init(from:)).elements, kinds: try fields.cappedList("kinds", Kind.init(from:)).elements)
    }
}

extension SourceList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("kind", kind)
        writer.member("title", writer.shown(title, DisplayText(bytes: 256)))
        writer.member("on", isEnabled)
        writer.flag("conf", isConfigured)
        writer.member("url", ifPresent: url)
        writer.member("user", ifPresent: user)
        guard !options.isEmpty else { return }
        writer.name("options")
        writer.value(JSON(options: options))
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            name: try fields.required("name", fields.text("name")), kind: try fields.text("kind") ?? "",
            title: try fields.required("title", fields.text("title")), isEnabled: try fields.bool("on") ?? true,
            isConfigured: try fields.flag("conf"), url: try fields.text("url"), options: try fields.options("options") ?? [:],
            user: try fields.text("user"))
    }
}

extension SourceList.Kind {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("title", title)
        if !login.isEmpty { writer.member("login", login) }
        guard !options.isEmpty else { return }
        writer.name("options")
        writer.array { list in
            for option in options {
                list.object {
                    $0.member("name", option.name)
                    $0.member("about", option.about)
                    $0.member("usual", option.usual)
                }
            }
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            name: try fields.required("name", fields.text("name")), title: try fields.text("title") ?? "",
            login: try fields.texts("login") ?? [],
            options: try fields.cappedList("options") { option throws(ProtocolFault) in
                Option(
                    name: try option.required("name", option.text("name")), about: try option.text("about") ?? "",
                    usual: try option.text("usual") ?? "")
            }.elements)
    }
}

extension SourceTested {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("state", state.name)
            if let sentence { answer.member("msg", answer.shown(sentence, DisplayText(bytes: 512))) }
            answer.member("ms", ifPresent: latencyMs)
            answer.member("asks", ifPresent: asks)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            state: SourcesSection.State(name: try fields.required("state", fields.text("state"))), sentence: try fields.text("msg"),
            latencyMs: try fields.count("ms"), asks: try fields.text("asks"))
    }
}

extension PendingNotes {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { answer in
            answer.member("total", total)
            answer.member("dropped", ifPresent: dropped)
            _ = answer.member("notes", rows, upTo: end) { row, list in list.object(row.encodeMembers) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("notes") else { throw fields.missing("notes") }
        self.init(
            try fields.cappedList("notes", Row.init(from:)).elements, total: try fields.count("total") ?? 0,
            dropped: try fields.count("dropped"))
    }
}

extension PendingNotes.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("what", what)
        writer.member("uri", ifPresent: uri?.text)
        writer.member("atMs", atMs)
        if tries > 0 { writer.member("tries", tries) }
        writer.flag("refused", isRefused)
        if let sentence { writer.member("msg", writer.shown(sentence, DisplayText(bytes: 256))) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            what: try fields.required("what", fields.text("what")), uri: try fields.uri("uri"), atMs: try fields.int64("atMs") ?? 0,
            tries: try fields.count("tries") ?? 0, isRefused: try fields.flag("refused"), sentence: try fields.text("msg"))
    }
}
