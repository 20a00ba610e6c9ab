import BatonCore
import BatonProtocol

/// How `HubDiagnostics.Library` is written as JSON and read from it.
extension HubDiagnostics.Library {
    func encodeMembers(into part: inout JSONWriter) {
        part.member("path", ifPresent: path)
        part.member("problem", ifPresent: problem)
        part.member("unread", ifPresent: unread)
        part.member("unwatched", ifPresent: unwatched)
        part.member("notices", notices)
    }

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            path: try fields.text("path"),
            problem: try fields.text("problem"),
            unread: try fields.text("unread"),
            unwatched: try fields.text("unwatched"),
            notices: try fields.texts("notices") ?? [])
    }
}
