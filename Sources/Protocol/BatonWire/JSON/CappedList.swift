import BatonProtocol

/// A list that must fit into a section: `{"list":[...],"more":3}`. Elements that do not fit are counted.
protocol ListElement {
    func encode(into writer: inout JSONWriter)
}

extension JSONWriter {
    /// Space for the count after the list.
    private static var moreBytes: Int { 24 }

    mutating func list(_ elements: [some ListElement], more: Int, cap: Int) {
        let start = count
        object { section in
            let end = min(start + cap, section.bounds.message)
            section.members(of: elements, name: "list", more: more, budget: end - Self.moreBytes)
        }
    }

    /// `budget` is the limit for this writer's count.
    mutating func members(of elements: [some ListElement], name: StaticString, more: Int, budget: Int) {
        var written = 0
        self.name(name)
        array { list in
            for element in elements {
                let before = list.count
                element.encode(into: &list)
                guard list.count <= budget else { return list.truncate(to: before) }
                written += 1
            }
        }
        let left = more + elements.count - written
        if left > 0 { member("more", left) }
    }
}

extension Fields {
    func cappedList<Element>(
        _ name: String, _ reading: (Fields) throws(ProtocolFault) -> Element
    ) throws(ProtocolFault) -> (elements: [Element], more: Int) {
        var elements: [Element] = []
        for (index, value) in (try list(name, count: 0...Int.max) ?? []).enumerated() {
            guard case .object(let object) = value else { throw fault("\(name)/\(index)", "Each of \(name) must be an object.") }
            elements.append(try reading(Fields(object, path: pointer("\(name)/\(index)"))))
        }
        return (elements, try count("more") ?? 0)
    }
}
