/// The named parts of the state. Each is always sent as a whole. The watch has shorter ones of its own.
///
/// `peopleCount` is the other form of the section `people`; on the wire they have the same name.
package enum Section: UInt8, Sendable, CaseIterable {
    case now, timeline, volume, modes, queue, book, radio, sleep
    case rooms, outputs, people, peopleCount, jobs, operations, library, playlists, sources, keeping, hub
    case watchItem, watchLine, watchVolume, watchModes, watchRoom, watchBook, watchProblem, watchJob, watchSleep
    case endless, listeners

    /// Whether it belongs to one room. The others are the hub's own.
    package var isOfRoom: Bool {
        switch self {
        case .rooms, .outputs, .people, .peopleCount, .jobs, .operations, .library, .playlists, .sources, .radio, .keeping, .hub, .watchJob:
            false
        default: true
        }
    }

    /// The member's name in a state. The watch's names have one letter, because its messages are short.
    package var wireName: StaticString {
        switch self {
        case .now: "now"
        case .timeline: "tl"
        case .volume: "vol"
        case .modes: "modes"
        case .queue: "queue"
        case .book: "book"
        case .radio: "radio"
        case .sleep: "sleep"
        case .rooms: "rooms"
        case .outputs: "outputs"
        case .people, .peopleCount: "people"
        case .jobs: "jobs"
        case .operations: "ops"
        case .library: "lib"
        case .playlists: "pl"
        case .sources: "src"
        case .keeping: "keep"
        case .hub: "hub"
        case .endless: "endless"
        case .listeners: "listeners"
        case .watchItem: "n"
        case .watchLine: "l"
        case .watchVolume: "v"
        case .watchModes: "m"
        case .watchRoom: "r"
        case .watchBook: "b"
        case .watchProblem: "x"
        case .watchJob: "g"
        case .watchSleep: "z"
        }
    }

    /// Limit of its value on the wire in bytes. A longer list contains its newest elements and `more`.
    package var cap: Int {
        switch self {
        case .now: 2048
        case .timeline, .library, .playlists: 256
        case .volume, .endless: 1024
        case .modes, .queue, .book, .keeping, .hub: 512
        case .sleep: 128
        case .rooms, .outputs, .sources: 8192
        case .radio: 6144
        case .people, .peopleCount, .listeners, .jobs, .operations: 4096
        case .watchItem, .watchLine, .watchVolume, .watchModes, .watchRoom, .watchBook, .watchProblem, .watchJob, .watchSleep: 320
        }
    }

    package var name: String { wireName.description }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.filter { $0 != .peopleCount }.map { ($0.name, $0) })

    /// The section with this name on the wire, where `people` means the list and never `peopleCount`.
    package static func named(_ name: String) -> Section? { byName[name] }
}

/// A set of sections in one machine word.
package struct SectionSet: Hashable, Sendable, Sequence {
    private var bits: UInt32

    private init(bits: UInt32) { self.bits = bits }
    package init() { bits = 0 }
    package init(_ sections: some Sequence<Section>) { bits = sections.reduce(0) { $0 | $1.bit } }

    package static let all = SectionSet(Section.allCases)
    /// Sections that describe one room, so that a client gets them once for each room that it follows.
    package static let ofRooms = SectionSet(Section.allCases.filter(\.isOfRoom))
    /// Sections that describe the hub and are sent once for all rooms.
    package static let ofHub = all.subtracting(ofRooms)

    package var isEmpty: Bool { bits == 0 }
    package var count: Int { bits.nonzeroBitCount }

    package func contains(_ section: Section) -> Bool { bits & section.bit != 0 }
    package mutating func insert(_ section: Section) { bits |= section.bit }
    package mutating func remove(_ section: Section) { bits &= ~section.bit }
    package mutating func removeAll() { bits = 0 }
    package func union(_ other: SectionSet) -> SectionSet { SectionSet(bits: bits | other.bits) }
    package func intersection(_ other: SectionSet) -> SectionSet { SectionSet(bits: bits & other.bits) }
    package func subtracting(_ other: SectionSet) -> SectionSet { SectionSet(bits: bits & ~other.bits) }

    package func makeIterator() -> Iterator { Iterator(left: bits) }

    /// Sections in the order of their declaration, which is the order on the wire.
    package struct Iterator: IteratorProtocol {
        fileprivate var left: UInt32

        package mutating func next() -> Section? {
            guard left != 0 else { return nil }
            let lowest = UInt8(left.trailingZeroBitCount)
            left &= left - 1
            return Section(rawValue: lowest)
        }
    }
}

extension SectionSet: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Section...) { self.init(elements) }
}

extension Section {
    fileprivate var bit: UInt32 { 1 << UInt32(rawValue) }
}
