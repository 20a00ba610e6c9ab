/// The memory of a hub in `hub.info` for admins: bytes and counts of each part.
extension HubDiagnostics {
    /// Parts in the order in which they are sent. Names may change between versions: they help people to find a growing part, and no client
    /// depends on them.
    public struct Memory: Equatable, Sendable {
        /// One number with its name.
        public struct Figure: Equatable, Sendable {
            /// An English name for people, unique within its part.
            public var name: String
            /// A number of bytes or of elements, as the name says.
            public var value: Int

            package init(_ name: String, _ value: Int) {
                self.name = name
                self.value = value
            }
        }

        /// One part of the hub, with its name and numbers.
        public struct Part: Equatable, Sendable {
            /// An English name for people, such as `process` or `sockets`.
            public var name: String
            /// Figures in the order in which they are shown.
            public var figures: [Figure]

            package init(_ name: String, _ figures: [Figure]) {
                self.name = name
                self.figures = figures
            }
        }

        /// Parts in the order in which the hub measured them.
        public var parts: [Part]

        package init(_ parts: [Part]) { self.parts = parts }

        /// The figure of a part by their names; `nil` if the hub did not send it.
        public subscript(part: String, figure: String) -> Int? {
            parts.first { $0.name == part }?.figures.first { $0.name == figure }?.value
        }
    }
}
