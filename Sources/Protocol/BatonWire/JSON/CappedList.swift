import BatonProtocol

/// A list that must fit into a section: `{"list":[...],"more":3}`. What does not fit is counted.
protocol ListElement {
    func encode(into writer: inout JSONWriter)
}

extension JSONWriter {
    /// Leaves room behind the list for the count.
    private static var moreBytes: Int { 24 }

    mutating func list(_ elements: [some ListElement], more: Int, cap: Int) {
        let start = count
        object { section in
            section.members(of: elements, name: "list", more: more, budget: start + cap - Self.moreBytes)
        }
    }

    /// `budget` is where this writer's count must stay below.
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
