/// What a hub holds in memory, as `hub.info` tells its owner: bytes and counts by part.
extension HubDiagnostics {
    /// Parts in the order in which they are told. Names may come and go with versions: they are for people who look
    /// for what grows, and no client depends on one.
    public struct Memory: Equatable, Sendable {
        public struct Figure: Equatable, Sendable {
            public var name: String
            public var value: Int

            package init(_ name: String, _ value: Int) {
                self.name = name
                self.value = value
            }
        }

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

extension HubDiagnostics.Memory {
    func encodeMembers(into memory: inout JSONWriter) {
        for part in parts {
            memory.name(verbatim: part.name)
            memory.object { writer in
                for figure in part.figures {
                    writer.name(verbatim: figure.name)
                    writer.int(figure.value)
                }
            }
        }
    }

    /// What is no object of numbers is from a newer hub, and is left out.
    init(from fields: Fields) {
        parts = fields.object.members.compactMap { member in
            guard let part = member.value.object else { return nil }
            return Part(member.name, part.members.compactMap { figure in figure.value.int.map { Figure(figure.name, Int(clamping: $0)) } })
        }
    }
}
