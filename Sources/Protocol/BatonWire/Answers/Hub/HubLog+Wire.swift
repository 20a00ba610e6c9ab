package import BatonProtocol

/// `hub.log`. Where not all lines fit into an answer, `newest` is the last of those that did, so that a client which asks again misses none.
extension HubLog {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes - 64
        writer.object { answer in
            let written = answer.member("list", lines, upTo: end, atLeast: 1) { $1.object($0.encodeMembers) }
            answer.member("newest", written == lines.count ? newest : lines[written - 1].number)
            if missed > 0 { answer.member("missed", missed) }
        }
    }
}
