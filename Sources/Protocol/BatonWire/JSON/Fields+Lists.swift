import BatonProtocol

/// Lists of objects, and the cursors of their next pages.
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
    /// The cursor of the next page, behind the last row that was written. The given cursor is behind the page's last row; a list without
    /// one ends with its last row.
    static func cursor(_ cursor: String?, of count: Int, written: Int, total: Int?) -> String? {
        guard written < count else { return cursor }
        return (cursor.flatMap { Int($0) } ?? total).map { String($0 - count + written) }
    }
}
