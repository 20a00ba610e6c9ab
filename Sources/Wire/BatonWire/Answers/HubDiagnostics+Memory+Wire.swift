import BatonCore
import BatonProtocol

/// The JSON form of `HubDiagnostics.Memory`.
extension HubDiagnostics.Memory {
    func encodeMembers(into memory: inout JSONWriter) {
        for part in parts {
            memory.name(verbatim: part.name)
            memory.object { writer in
                for figure in part.figures {
                    writer.name(verbatim: figure.name)
                    writer.int(figure.value)
                }
            }
        }
    }

    /// Members that are not objects of numbers come from a newer hub, and are skipped.
    init(from fields: Fields) {
        self.init(
            fields.object.members.compactMap { member in
                guard let part = member.value.object else { return nil }
                return Part(
                    member.name, part.members.compactMap { figure in figure.value.int.map { Figure(figure.name, Int(clamping: $0)) } })
            })
    }
}
