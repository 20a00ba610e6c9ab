package import BatonProtocol

/// The JSON form of sections that are a single text.
extension WatchRoom: SectionCoding {
    package func encode(into writer: inout JSONWriter) { writer.string(writer.shown(name, .watch)) }

    package init(from value: JSON) throws(ProtocolFault) {
        self.init(
            try value.text(.watchRoom))
    }
}

extension WatchProblem: SectionCoding {
    package func encode(into writer: inout JSONWriter) { writer.string(writer.shown(message, .watch)) }

    package init(from value: JSON) throws(ProtocolFault) {
        self.init(
            try value.text(.watchProblem))
    }
}

extension JSON {
    fileprivate func text(_ section: Section) throws(ProtocolFault) -> String {
        guard let string else { throw ProtocolFault(.badRequest, "Section \(section.name) must be text.", at: "/s/\(section.name)") }
        return string
    }
}
