import BatonCore
package import BatonProtocol

/// How `HubSection` and what belongs to it are written as JSON and read from it.
extension HubSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        let budget = writer.count + writer.left(of: Section.hub.cap, leaving: 0) - 24
        writer.object { hub in
            hub.member("id", id)
            hub.member("name", hub.shown(name, .watch))
            hub.member("version", version)
            if let pairingUntilUs { hub.member("pairing", object: { $0.member("untilUs", pairingUntilUs) }) }
            hub.members(of: problems, name: "problems", more: more, budget: budget)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .hub)
        self.init(
            id: try fields.required("id", fields.text("id")), name: try fields.required("name", fields.text("name")),
            version: try fields.required("version", fields.text("version")),
            pairingUntilUs: try fields.fields("pairing")?.int64("untilUs"))
        (problems, more) = try fields.cappedList("problems", Problem.init(from:))
    }
}

extension HubSection.Problem: ListElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { problem in
            problem.member("room", ifPresent: room?.text)
            problem.member("msg", problem.shown(message, DisplayText(bytes: 160)))
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            room: try fields.text("room").map(RoomID.init),
            try fields.required("msg", fields.text("msg")))
    }
}
