public import BatonCore

/// The audio devices.
public struct OutputsSection: SectionContent {
    package static let section = Section.outputs

    /// One device.
    public struct Output: Equatable, Sendable {
        /// Its name in commands.
        public var id: String
        /// Its name for people.
        public var name: String
        /// The room that uses it.
        public var room: RoomID?
        /// A sentence about its problem; `nil` if there is none.
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
