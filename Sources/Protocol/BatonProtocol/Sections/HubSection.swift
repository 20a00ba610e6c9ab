public import BatonCore

/// The hub itself, and what somebody should look after.
public struct HubSection: SectionContent {
    package static let section = Section.hub

    /// What somebody should look after.
    public struct Problem: Equatable, Sendable {
        /// `nil` when it concerns the whole hub.
        public var room: RoomID?
        /// A sentence for people.
        public var message: String

        package init(room: RoomID? = nil, _ message: String) {
            self.room = room
            self.message = message
        }
    }

    public var id: String
    public var name: String
    public var version: String
    /// Until when a pairing window is open, by the hub's monotonic clock; `nil` while none is.
    public var pairingUntilUs: Int64?
    /// Newest first.
    public var problems: [Problem]
    public var more: Int

    package init(id: String, name: String, version: String, pairingUntilUs: Int64? = nil, problems: [Problem] = [], more: Int = 0) {
        self.id = id
        self.name = name
        self.version = version
        self.pairingUntilUs = pairingUntilUs
        self.problems = problems
        self.more = more
    }

    package func encode(into writer: inout JSONWriter) {
        let budget = writer.count + Section.hub.cap - 24
        writer.object { hub in
            hub.member("id", id)
            hub.member("name", DisplayText.watch.cut(name))
            hub.member("version", version)
            if let pairingUntilUs { hub.member("pairing", object: { $0.member("untilUs", pairingUntilUs) }) }
            hub.members(of: problems, name: "problems", more: more, budget: budget)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .hub)
        id = try fields.required("id", fields.text("id"))
        name = try fields.required("name", fields.text("name"))
        version = try fields.required("version", fields.text("version"))
        pairingUntilUs = try fields.fields("pairing")?.int64("untilUs")
        (problems, more) = try fields.cappedList("problems", Problem.init(from:))
    }
}

extension HubSection.Problem: CappedElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { problem in
            problem.member("room", ifPresent: room?.text)
            problem.member("msg", DisplayText(bytes: 160).cut(message))
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        room = try fields.text("room").map(RoomID.init)
        message = try fields.required("msg", fields.text("msg"))
    }
}
