import BatonCore
import BatonProtocol
import BatonWire

/// What every remote should be looking at: each section encoded once, with the revision at which
/// it last changed.
///
/// A section that encodes to the same bytes has not changed, whatever was done to the room behind
/// it, and costs no revision. What a remote lacks follows from two numbers: the revision it was
/// last sent and the revision of each section it follows. Nothing is remembered for anybody.
struct PublishedState {
    struct Posted: Equatable {
        /// `nil` once the section was taken away; its revision is that of its removal.
        var value: [UInt8]?
        var revision: Int
    }

    /// Sections that will look different, not yet shown to anyone.
    struct Draft {
        let room: RoomID?
        fileprivate var sections: [EncodedSection] = []
        var isEmpty: Bool { sections.isEmpty }
    }

    private var hubSections = Self.blank
    // Few rooms: a walk is quicker than a hash.
    private var rooms: [(id: RoomID, sections: [Posted?])] = []
    private static let blank = [Posted?](repeating: nil, count: Section.allCases.count)

    /// Keeps of `values` what differs from what is shown now.
    func draft(_ values: [EncodedSection], of room: RoomID?) -> Draft {
        Draft(room: room, sections: values.filter { posted($0.section, of: room)?.value != $0.value })
    }

    mutating func show(_ draft: Draft, at revision: Int) {
        for new in draft.sections {
            let section = new.section
            let posted = Posted(value: new.value, revision: revision)
            if let room = draft.room, section.scope == .room {
                rooms[place(of: room)].sections[Int(section.rawValue)] = posted
            } else {
                hubSections[Int(section.rawValue)] = posted
            }
        }
    }

    /// A new board on which nothing is. Whoever comes back with a copy of something that was shown
    /// before, and is not shown again, must be told that it is gone.
    mutating func takeEverythingDown(at revision: Int, in rooms: [RoomID]) {
        let bare = Self.bare(at: revision)
        hubSections = bare
        self.rooms = rooms.map { ($0, bare) }
    }

    /// A new room, of which nothing is shown. Its id may have been another room's.
    mutating func open(_ room: RoomID, at revision: Int) {
        close(room)
        rooms.append((room, Self.bare(at: revision)))
    }

    /// A room that is gone. Nobody needs its removals: who followed it is given another room whole.
    mutating func close(_ room: RoomID) { rooms.removeAll { $0.id == room } }

    private static func bare(at revision: Int) -> [Posted?] {
        [Posted?](repeating: Posted(value: nil, revision: revision), count: Section.allCases.count)
    }

    func posted(_ section: Section, of room: RoomID?) -> Posted? {
        switch section.scope {
        case .hub: hubSections[Int(section.rawValue)]
        case .room: rooms.first { $0.id == room }?.sections[Int(section.rawValue)]
        }
    }

    private mutating func place(of room: RoomID) -> Int {
        if let place = rooms.firstIndex(where: { $0.id == room }) { return place }
        rooms.append((room, Self.blank))
        return rooms.count - 1
    }

    /// Which of `wanted` somebody who was last sent `revision` does not have.
    func newer(than revision: Int, of wanted: SectionSet, in room: RoomID) -> SectionSet {
        var newer = SectionSet()
        for section in wanted {
            if let posted = posted(section, of: room), posted.revision > revision { newer.insert(section) }
        }
        return newer
    }

    /// Which of `wanted` there is anything to say about, from nothing.
    func present(of wanted: SectionSet, in room: RoomID) -> SectionSet {
        var present = SectionSet()
        for section in wanted where posted(section, of: room)?.value != nil { present.insert(section) }
        return present
    }

    /// The named sections as they are now, ready to be written.
    func encoded(_ sections: SectionSet, of room: RoomID) -> [EncodedSection] {
        sections.compactMap { section in posted(section, of: room).map { EncodedSection(section, $0.value) } }
    }
}
