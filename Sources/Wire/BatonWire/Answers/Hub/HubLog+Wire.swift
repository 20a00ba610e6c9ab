package import BatonProtocol

/// The JSON form of `hub.log`. If not all lines fit into an answer, `newest` is the last one that did, so that a client misses none when it
/// asks again.
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
