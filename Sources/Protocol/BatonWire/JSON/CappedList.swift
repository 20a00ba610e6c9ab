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
        (try elements(name, reading) ?? [], try count("more") ?? 0)
    }

    /// A list of objects.
    func elements<Element>(
        _ name: String, _ reading: (Fields) throws(ProtocolFault) -> Element
    ) throws(ProtocolFault) -> [Element]? {
        guard let list = try list(name, count: 0...Int.max) else { return nil }
        var elements: [Element] = []
        for (index, value) in list.enumerated() {
            guard case .object(let object) = value else { throw fault("\(name)/\(index)", "Each of \(name) must be an object.") }
            elements.append(try reading(Fields(object, path: pointer("\(name)/\(index)"))))
        }
        return elements
    }
}

extension Fields {
    /// Where the next page begins: behind the last row that was written. A page's own cursor names the row behind its last one, and a list
    /// without one ends with its last row.
    static func cursor(_ cursor: String?, of count: Int, written: Int, total: Int?) -> String? {
        guard written < count else { return cursor }
        return (cursor.flatMap { Int($0) } ?? total).map { String($0 - count + written) }
    }
}
