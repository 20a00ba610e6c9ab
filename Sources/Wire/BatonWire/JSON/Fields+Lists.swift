import BatonCore
import BatonProtocol

/// Lists of objects, and the cursors of their next pages.
extension Fields {
    /// A list of objects.
    func elements<Element>(
        _ name: String, count: ClosedRange<Int> = 0...Int.max, _ reading: (Fields) throws(ProtocolFault) -> Element
    ) throws(ProtocolFault) -> [Element]? {
        guard let list = try list(name, count: count) else { return nil }
        var elements: [Element] = []
        for (index, value) in list.enumerated() {
            guard case .object(let object) = value else { throw fault("\(name)/\(index)", "Each of \(name) must be an object.") }
            elements.append(try reading(Fields(object, path: pointer("\(name)/\(index)"))))
        }
        return elements
    }
}

/// Lists of texts and numbers.
extension Fields {
    func strings(_ name: String, count: ClosedRange<Int>, bytes: ClosedRange<Int>) throws(ProtocolFault) -> [String]? {
        try list(name, count: count, of: "text of \(bytes.lowerBound) to \(bytes.upperBound) bytes") { value in
            value.string.flatMap { bytes.contains($0.utf8.count) ? $0 : nil }
        }
    }

    func ints(_ name: String, count: ClosedRange<Int>, in bounds: ClosedRange<Int>, of noun: String) throws(ProtocolFault) -> [Int]? {
        try list(name, count: count, of: noun) { Self.int($0, in: bounds) }
    }

    /// The hub checks later whether a room exists.
    func rooms(_ name: String) throws(ProtocolFault) -> [RoomID]? {
        try list(name, count: 0...64, of: "a room's id") { value in
            value.string.flatMap { 1...64 ~= $0.utf8.count ? RoomID($0) : nil }
        }
    }

    /// Sections of a later version are no fault, and are skipped.
    func sections(_ name: String) throws(ProtocolFault) -> SectionSet? {
        try list(name, count: 0...64, of: "text", \.string).map { SectionSet($0.compactMap(Section.named)) }
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
