import BatonSeams

/// Tags that a connection wants to see.
struct TagSet: OptionSet, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ tag: TagName) { self.init(rawValue: 1 << UInt64(Self.places[tag]!)) }

    // Each tag is among all cases, so it has a place.
    private static let places = Dictionary(uniqueKeysWithValues: TagName.allCases.enumerated().map { ($1, $0) })

    /// Tags that a new connection sees, and the most that one can ask for: all but comments, which are often long, and which no song has among its
    /// lines.
    static let usual = TagSet(rawValue: (1 << UInt64(TagName.allCases.count)) - 1).subtracting(TagSet(.comment))
}
