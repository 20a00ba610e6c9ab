import BatonCore
import BatonProtocol

/// How the rows of `user.export` are written as JSON and read from it.
extension PersonRow {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("kind", kind)
        for member in members {
            writer.name(verbatim: member.name)
            switch member.value {
            case .text(let text): writer.string(text)
            case .number(let number): writer.int(number)
            case .yes(let flag): writer.bool(flag)
            }
        }
    }

    /// Members of a later version that are neither text nor numbers are skipped.
    init(from fields: Fields) throws(ProtocolFault) {
        let members = fields.object.members.compactMap { member -> Member? in
            switch member.value {
            case .string(let text) where member.name != "kind": Member(member.name, .text(text))
            case .int(let number): Member(member.name, .number(number))
            case .bool(let flag): Member(member.name, .yes(flag))
            default: nil
            }
        }
        self.init(try fields.required("kind", fields.text("kind")), members)
    }
}
