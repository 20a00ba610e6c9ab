/// The memory of a hub, as `hub.info` tells an admin: bytes and counts of each part.
extension HubDiagnostics {
    /// Parts in the order in which they are sent. Names may change with versions: they are for people who search for the part
    /// that grows, and no client depends on one.
    public struct Memory: Equatable, Sendable {
        /// One number, by its name.
        public struct Figure: Equatable, Sendable {
            public var name: String
            public var value: Int

            package init(_ name: String, _ value: Int) {
                self.name = name
                self.value = value
            }
        }

        /// One part of the hub, by its name, with its numbers.
        public struct Part: Equatable, Sendable {
            public var name: String
            public var figures: [Figure]

            package init(_ name: String, _ figures: [Figure]) {
                self.name = name
                self.figures = figures
            }
        }

        public var parts: [Part]

        package init(_ parts: [Part]) { self.parts = parts }

        public subscript(part: String, figure: String) -> Int? {
            parts.first { $0.name == part }?.figures.first { $0.name == figure }?.value
        }
    }
}
