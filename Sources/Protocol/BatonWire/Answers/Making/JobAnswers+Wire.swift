import BatonCore
package import BatonProtocol

/// How answers about jobs are written as JSON and read from it.
extension StartedJob {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("job", job)
            answer.member("uri", uri.text)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(job: try fields.required("job", fields.text("job")), uri: try fields.required("uri", fields.uri("uri")))
    }
}

extension JobRow {
    private static let text = DisplayText(bytes: 144)

    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("job", job)
        writer.member("uri", uri.text)
        writer.member("st", state.name)
        if percent > 0, !state.isOver { writer.member("pct", percent) }
        writer.member("title", writer.shown(title, Self.text))
        if let author { writer.member("by", writer.shown(author, .watch)) }
        writer.member("worker", worker)
        writer.member("at", startedMs)
        writer.member("end", ifPresent: endedMs)
        writer.member("est", ifPresent: estimateMs)
        writer.member("dueUs", ifPresent: dueUs)
        writer.member("dur", ifPresent: durationMs)
        if let sentence { writer.member("msg", writer.shown(sentence, Self.text)) }
        if let prompt { writer.member("prompt", writer.shown(prompt, Self.text)) }
        writer.member("recipe", ifPresent: recipe)
        writer.flag("kept", isKept)
    }

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            job: try fields.required("job", fields.text("job")), uri: try fields.required("uri", fields.uri("uri")),
            state: State(name: try fields.required("st", fields.text("st"))), percent: try fields.count("pct") ?? 0,
            title: try fields.text("title") ?? "", author: try fields.text("by"), worker: try fields.text("worker") ?? "",
            startedMs: try fields.int64("at") ?? 0, endedMs: try fields.int64("end"), estimateMs: try fields.count("est"),
            dueUs: try fields.int64("dueUs"), durationMs: try fields.count("dur"), sentence: try fields.text("msg"),
            prompt: try fields.text("prompt"), isKept: try fields.flag("kept"))
        recipe = try fields.text("recipe")
    }
}

extension JobRows {
    package func encode(into writer: inout JSONWriter, bytes most: Int) {
        // What stands behind the list: how many did not fit.
        let end = writer.count + most - 32
        writer.object { answer in
            let written = answer.member("jobs", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let left = rows.count - written + more
            if left > 0 { answer.member("more", left) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("jobs") else { throw fields.missing("jobs") }
        self.init(try fields.cappedList("jobs", JobRow.init(from:)).elements, more: try fields.count("more") ?? 0)
    }
}

extension JobsSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        let end = writer.count + Self.section.cap - 32
        writer.object { section in
            let written = section.member("jobs", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let left = rows.dropFirst(written).count { !$0.state.isOver } + more
            if left > 0 { section.member("more", left) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .jobs)
        self.init(try fields.cappedList("jobs", JobRow.init(from:)).elements, more: try fields.count("more") ?? 0)
    }
}

extension ParsedPrompt {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("act", line.action.rawValue)
            if line.mode != .track { answer.member("mode", line.mode.rawValue) }
            if !line.prompt.isEmpty { answer.member("prompt", line.prompt) }
            line.settings.encodeMembers(into: &answer)
            answer.member("layer", ifPresent: line.layer?.rawValue)
            answer.member("scene", ifPresent: line.scene)
            guard !line.faults.isEmpty else { return }
            answer.member(
                "faults",
                array: { list in
                    for fault in line.faults.prefix(Self.mostFaults) {
                        list.object {
                            $0.member("from", fault.from)
                            $0.member("to", fault.to)
                            $0.member("msg", $0.shown(fault.sentence, DisplayText(bytes: 256)))
                        }
                    }
                })
        }
    }

    /// A line of control characters has a fault at each.
    private static let mostFaults = 32

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        var line = PromptLine()
        line.action = try fields.required("act", fields.choice("act"))
        line.mode = try fields.choice("mode") ?? .track
        line.prompt = try fields.text("prompt") ?? ""
        line.settings = try PromptSettings(from: fields)
        line.layer = try fields.choice("layer")
        line.scene = try fields.count("scene")
        line.faults = try fields.cappedList("faults") { fault throws(ProtocolFault) in
            PromptFault(from: try fault.count("from") ?? 0, to: try fault.count("to") ?? 0, try fault.text("msg") ?? "")
        }.elements
        self.init(line)
    }
}
