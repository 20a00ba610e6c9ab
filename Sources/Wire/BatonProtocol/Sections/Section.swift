/// The named parts of the state. Each is always sent as a whole. The watch has shorter ones of its own.
///
/// `peopleCount` is the other form of the section `people`, and `votes` of `listeners`; on the wire they have the same names.
package enum Section: UInt8, Sendable, CaseIterable {
    case now, timeline, volume, modes, queue, book, radio, sleep
    case rooms, outputs, people, peopleCount, jobs, library, playlists, sources, keeping, hub
    case watchItem, watchLine, watchVolume, watchModes, watchRoom, watchBook, watchProblem, watchJob, watchSleep
    case endless, listeners, votes

    private var facts: (wireName: StaticString, cap: Int) {
        switch self {
        case .now: ("now", 2048)
        case .timeline: ("tl", 256)
        case .volume: ("vol", 1024)
        case .modes: ("modes", 512)
        case .queue: ("queue", 512)
        case .book: ("book", 512)
        case .radio: ("radio", 6144)
        case .sleep: ("sleep", 128)
        case .rooms: ("rooms", 8192)
        case .outputs: ("outputs", 8192)
        case .people, .peopleCount: ("people", 4096)
        case .jobs: ("jobs", 4096)
        case .library: ("lib", 256)
        case .playlists: ("pl", 256)
        case .sources: ("src", 8192)
        case .keeping: ("keep", 512)
        case .hub: ("hub", 512)
        case .endless: ("endless", 1024)
        case .listeners, .votes: ("listeners", 4096)
        case .watchItem: ("n", 320)
        case .watchLine: ("l", 320)
        case .watchVolume: ("v", 320)
        case .watchModes: ("m", 320)
        case .watchRoom: ("r", 320)
        case .watchBook: ("b", 320)
        case .watchProblem: ("x", 320)
        case .watchJob: ("g", 320)
        case .watchSleep: ("z", 320)
        }
    }

    package var wireName: StaticString { facts.wireName }
    /// Limit of its value on the wire in bytes. A longer list contains its newest elements and `more`.
    package var cap: Int { facts.cap }
    /// Whether it belongs to one room. The others are the hub's own. Apart from the other facts, since each change asks this several times.
    package var isOfRoom: Bool {
        switch self {
        case .now, .timeline, .volume, .modes, .queue, .book, .sleep, .endless, .listeners, .votes: true
        case .watchItem, .watchLine, .watchVolume, .watchModes, .watchRoom, .watchBook, .watchProblem, .watchSleep: true
        case .radio, .rooms, .outputs, .people, .peopleCount, .jobs, .library, .playlists, .sources, .keeping, .hub: false
        case .watchJob: false
        }
    }
    package var name: String { wireName.description }

    private static let byName = Dictionary(
        uniqueKeysWithValues: allCases.filter { $0 != .peopleCount && $0 != .votes }.map { ($0.name, $0) })

    /// The section with this name on the wire, where `people` and `listeners` mean the lists and never `peopleCount` and `votes`.
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

    /// The sections for those who learn no names of other people.
    package var withoutNames: SectionSet {
        var sections = subtracting([.people, .listeners])
        if contains(.people) { sections.insert(.peopleCount) }
        if contains(.listeners) { sections.insert(.votes) }
        return sections
    }

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
