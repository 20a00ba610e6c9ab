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
}
