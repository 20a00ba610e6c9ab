import BatonCore
package import BatonProtocol

/// How the section of jobs and the answer to `gen.parse` are written as JSON and read from it.
extension JobsSection {
    /// Writes the rows that fit into the section, and counts the unfinished ones among those left out.
    package func encode(into writer: inout JSONWriter) {
        let end = writer.count + Self.section.cap - 32
        writer.object { section in
            let written = section.member("jobs", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let left = rows.dropFirst(written).count { !$0.state.isOver } + more
            if left > 0 { section.member("more", left) }
        }
    }
}

extension ParsedPrompt {
    package func encode(into writer: inout JSONWriter, bytes _: Int) {
        writer.object { answer in
            answer.member("act", line.action.rawValue)
            if line.mode != .track { answer.member("mode", line.mode.rawValue) }
            if !line.prompt.isEmpty { answer.member("prompt", line.prompt) }
            line.settings.encodeMembers(into: &answer)
            answer.member("layer", ifPresent: line.layer?.rawValue)
            answer.member("scene", ifPresent: line.scene)
            let faults = line.faults.prefix(Self.mostFaults)
            if !faults.isEmpty { answer.member("faults", array: { list in for fault in faults { list.object(fault.encodeMembers) } }) }
        }
    }

    /// Limit of faults, since a line of control characters has one at each.
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
        line.faults = try fields.elements("faults", PromptFault.init(from:)) ?? []
        self.init(line)
    }
}
