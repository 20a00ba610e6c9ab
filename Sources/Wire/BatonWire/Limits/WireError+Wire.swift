import BatonCore
import BatonProtocol

/// The JSON form of `WireError`.
extension WireError {
    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            code: try fields.required("code", fields.string("code", bytes: 1...64)), retry: try fields.flag("retry"),
            message: try fields.text("msg") ?? "", at: try fields.text("at"), afterMs: try fields.count("afterMs").map { Milliseconds($0) },
            versions: try fields.list("v", count: 0...64, of: "a version") { $0.int.map { Int($0) } }, revision: try fields.count("rev"))
    }

    func encodeMembers(into error: inout JSONWriter) {
        error.member("code", code)
        error.member("retry", retry ? 1 : 0)
        error.member("msg", error.bounds.text == .max ? message : error.shown(message, DisplayText(bytes: .max)))
        if let at, at.utf8.count <= error.bounds.text { error.member("at", at) }
        error.member("afterMs", ifPresent: afterMs)
        if let versions { error.member("v", array: { list in for version in versions { list.int(version) } }) }
        error.member("rev", ifPresent: revision)
    }
}

/// Readers for members that the hub's messages share. A hub checks its own limits, so only types are checked here.
extension Fields {
    func text(_ name: String) throws(ProtocolFault) -> String? { try string(name, bytes: 0...Int.max) }

    func count(_ name: String) throws(ProtocolFault) -> Int? { try int(name, in: 0...Int.max) }

    /// 1, or absent. Every number but zero is true, because a later version may send a count.
    func flag(_ name: String) throws(ProtocolFault) -> Bool { try int64(name).map { $0 != 0 } ?? false }

    func texts(_ name: String) throws(ProtocolFault) -> [String]? {
        try list(name, count: 0...Int.max, of: "text", \.string)
    }
}
