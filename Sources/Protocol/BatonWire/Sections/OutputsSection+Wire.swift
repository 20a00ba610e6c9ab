import BatonCore
package import BatonProtocol

/// How `OutputsSection` and what belongs to it are written as JSON and read from it.
extension OutputsSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.list(outputs, more: more, cap: Section.outputs.cap)
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .outputs)
        let (outputs, more) = try fields.cappedList("list", Output.init(from:))
        self.init(outputs, more: more)
    }
}

extension OutputsSection.Output: ListElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { output in
            output.member("id", id)
            output.member("name", output.shown(name, .watch))
            output.member("room", ifPresent: room?.text)
            output.member("problem", ifPresent: problem.map { output.shown($0, DisplayText(bytes: 160)) })
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            id: try fields.required("id", fields.text("id")),
            name: try fields.required("name", fields.text("name")),
            room: try fields.text("room").map(RoomID.init),
            problem: try fields.text("problem"))
    }
}
