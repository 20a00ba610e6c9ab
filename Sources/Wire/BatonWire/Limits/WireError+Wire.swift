import BatonCore
import BatonProtocol

/// The JSON form of `WireError`.
extension WireError {
    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            code: try fields.required("code", fields.string("code", bytes: 1...64)), retry: try fields.flag("retry"),
            message: try fields.text("msg") ?? "", at: try fields.text("at"), afterMs: try fields.count("afterMs").map { Milliseconds($0) },
            core: try fields.text("core"), revision: try fields.count("rev"), reason: try Reason(from: fields))
    }

    func encodeMembers(into error: inout JSONWriter) {
        error.member("code", code)
        error.member("retry", retry ? 1 : 0)
        error.member("msg", error.bounds.text == .max ? message : error.shown(message, DisplayText(bytes: .max)))
        if let at, at.utf8.count <= error.bounds.text { error.member("at", at) }
        error.member("afterMs", ifPresent: afterMs)
        error.member("core", ifPresent: core)
        error.member("rev", ifPresent: revision)
        guard error.givesReasons, let reason else { return }
        error.member("reason", reason.word)
        if !reason.arguments.members.members.isEmpty { error.member("args", object: reason.arguments.encodeMembers) }
    }
}

/// The JSON form of `Reason`, whose members stand among those of an error.
extension Reason {
    fileprivate init?(from fields: Fields) throws(ProtocolFault) {
        guard let word = try fields.text("reason") else { return nil }
        self.init(word: word, arguments: try fields.fields("args").map(ReasonArguments.init(from:)) ?? ReasonArguments())
    }
}

extension ReasonArguments {
    init(from fields: Fields) { self.init(fields.object) }

    func encodeMembers(into writer: inout JSONWriter) {
        for member in members.members {
            writer.name(verbatim: member.name)
            writer.value(member.value)
        }
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
