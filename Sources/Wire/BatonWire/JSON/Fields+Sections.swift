import BatonProtocol

/// The values of sections, read strictly.
extension Fields {
    /// The members of a section that is an object.
    init(section value: JSON, _ section: Section) throws(ProtocolFault) {
        guard case .object(let object) = value else {
            throw ProtocolFault(.badRequest, "Section \(section.name) must be an object.", at: "/s/\(section.name)")
        }
        self.init(object, path: "/s/\(section.name)")
    }

    /// The elements of a section that is a short list, by their places. A longer one is from a newer hub.
    init(list value: JSON, _ section: Section, least: Int) throws(ProtocolFault) {
        guard let elements = value.array, elements.count >= least else {
            throw ProtocolFault(.badRequest, "Section \(section.name) must be a list of \(least).", at: "/s/\(section.name)")
        }
        var object = JSONObject()
        for (place, element) in elements.prefix(least + 1).enumerated() { object["\(place)"] = element }
        self.init(object, path: "/s/\(section.name)")
    }
}

extension JSON {
    func text(_ section: Section) throws(ProtocolFault) -> String {
        guard let string else { throw ProtocolFault(.badRequest, "Section \(section.name) must be text.", at: "/s/\(section.name)") }
        return string
    }
}
