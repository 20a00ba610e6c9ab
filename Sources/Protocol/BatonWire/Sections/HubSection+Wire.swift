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
            if let held {
                hub.member(
                    "held",
                    object: {
                        $0.member("crashes", held.crashes)
                        $0.member("signal", held.signal)
                        $0.member("atMs", held.atMs)
                    })
            }
            hub.members(of: problems, name: "problems", more: more, budget: budget)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .hub)
        self.init(
            id: try fields.required("id", fields.text("id")), name: try fields.required("name", fields.text("name")),
            version: try fields.required("version", fields.text("version")),
            pairingUntilUs: try fields.fields("pairing")?.int64("untilUs"), held: try fields.fields("held").map(Held.init(from:)))
        (problems, more) = try fields.cappedList("problems", Problem.init(from:))
    }
}

extension HubSection.Held {
    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            crashes: try fields.required("crashes", fields.int("crashes", in: 1...Int(Int32.max))),
            signal: try fields.required("signal", fields.text("signal")),
            atMs: try fields.required("atMs", fields.int64("atMs")))
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
