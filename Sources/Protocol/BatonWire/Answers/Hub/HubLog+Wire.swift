package import BatonJSON
package import BatonProtocol

/// `hub.log`. Where not all lines fit into an answer, `newest` is the last of those that did, so that a client which asks again misses none.
extension HubLog {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes - 64
        writer.object { answer in
            let written = answer.member("list", lines, upTo: end, atLeast: 1) { line, list in
                list.object {
                    $0.member("n", line.number)
                    $0.member("ms", line.wallMs)
                    $0.member("level", line.level.rawValue)
                    $0.member("text", line.text)
                }
            }
            answer.member("newest", written == lines.count ? newest : lines[written - 1].number)
            if missed > 0 { answer.member("missed", missed) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("list") else { throw fields.missing("list") }
        let (lines, _) = try fields.cappedList("list", Line.init(from:))
        self.init(lines, newest: try fields.required("newest", fields.count("newest")), missed: try fields.count("missed") ?? 0)
    }
}

extension HubLog.Line {
    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            number: try fields.required("n", fields.count("n")), wallMs: try fields.int64("ms") ?? 0,
            // A level of a later version is one that a reader should see.
            level: HubLog.Level(rawValue: try fields.text("level") ?? "") ?? .warning,
            text: try fields.required("text", fields.text("text")))
    }
}
