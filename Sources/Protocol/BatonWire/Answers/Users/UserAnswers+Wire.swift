package import BatonCore
package import BatonProtocol

/// The JSON form of a room's control and of the rows of `user.export`.
extension RoomControl {
    package func encode(into writer: inout JSONWriter, bytes _: Int) {
        writer.object { answer in
            answer.member("who", who.rawValue)
            if !names.isEmpty { answer.member("users", names) }
        }
    }

    /// An unknown rule of a later version is read as the strictest.
    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            Who(rawValue: try fields.required("who", fields.text("who"))) ?? .named,
            names: try fields.list("users", count: 0...Int.max, of: "a name", \.string) ?? [])
    }
}

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
