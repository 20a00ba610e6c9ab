public import BatonCore

/// The devices that sound can come out of.
public struct OutputsSection: SectionContent {
    package static let section = Section.outputs

    /// One device.
    public struct Output: Equatable, Sendable {
        /// What the hub calls it.
        public var id: String
        /// What people call it.
        public var name: String
        /// The room it serves.
        public var room: RoomID?
        /// A sentence, while something is wrong with it.
        public var problem: String?

        package init(id: String, name: String, room: RoomID? = nil, problem: String? = nil) {
            self.id = id
            self.name = name
            self.room = room
            self.problem = problem
        }
    }

    public var outputs: [Output]
    public var more: Int

    package init(_ outputs: [Output], more: Int = 0) {
        self.outputs = outputs
        self.more = more
    }

    package func encode(into writer: inout JSONWriter) {
        writer.list(outputs, more: more, cap: Section.outputs.cap)
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .outputs)
        (outputs, more) = try fields.cappedList("list", Output.init(from:))
    }
}

extension OutputsSection.Output: CappedElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { output in
            output.member("id", id)
            output.member("name", DisplayText.watch.cut(name))
            output.member("room", ifPresent: room?.text)
            output.member("problem", ifPresent: problem.map(DisplayText(bytes: 160).cut))
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        id = try fields.required("id", fields.text("id"))
        name = try fields.required("name", fields.text("name"))
        room = try fields.text("room").map(RoomID.init)
        problem = try fields.text("problem")
    }
}
