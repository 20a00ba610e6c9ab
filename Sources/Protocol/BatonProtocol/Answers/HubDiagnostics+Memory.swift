/// What a hub holds in memory, as `hub.info` tells its owner: bytes and counts by part.
extension HubDiagnostics {
    /// Parts in the order in which they are told. Names may come and go with versions: they are for people who look
    /// for what grows, and no client depends on one.
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
