public import BatonCore
public import BatonProtocol
package import BatonWire

/// What a remote knows of its hub: the sections it follows, and up to which revision.
///
/// After a state was applied this equals what the hub shows at `revision`. A message that does not
/// continue where the last one ended is a gap: the copy is not touched and a full state is due.
public struct Mirror: Equatable, Sendable {
    /// Counts the hub's changes; 0 before the first state.
    public private(set) var revision = 0
    /// The room that the sections are about.
    public private(set) var room: RoomID?
    package private(set) var sections = SectionSet()

    /// What is current; `nil` when nothing is.
    public private(set) var now: NowSection?
    public private(set) var timeline: TimelineSection?
    public private(set) var volume: VolumeSection?
    public private(set) var modes: ModesSection?
    /// The chapter that is heard, where there are chapters.
    public private(set) var book: BookSection?
    /// The sleep timer, while one runs.
    public private(set) var sleep: SleepSection?
    public private(set) var queue: QueueSection?
    public private(set) var rooms: RoomsSection?
    public private(set) var outputs: OutputsSection?
    public private(set) var people: PeopleSection?
    /// Who is in the room, and the votes for skipping what plays.
    public private(set) var listeners: ListenersSection?
    /// What the local library holds, and how a scan goes; `nil` where there is none.
    public private(set) var library: LibrarySection?
    public private(set) var playlists: PlaylistsSection?
    /// The accounts at servers, and how each is.
    public private(set) var sources: SourcesSection?
    /// What is kept on the hub's own disk, and what is fetched for that now; `nil` while nothing is.
    public private(set) var keeping: KeepingSection?
    /// The presets of the radio.
    public private(set) var radio: RadioSection?
    /// The pieces in the making, and those that ended last.
    public private(set) var jobs: JobsSection?
    /// How the room's music goes on without end.
    public private(set) var endless: EndlessSection?
    public private(set) var hub: HubSection?

    package init() {}

    package enum Applied: Equatable, Sendable {
        case applied
        /// Ask for everything again.
        case gap
    }

    package mutating func apply(_ update: StateUpdate) throws(ProtocolFault) -> Applied {
        let header = update.header
        if !header.full, header.from != revision { return .gap }
        var next = header.full ? Mirror() : self
        try next.take(update)
        next.revision = header.revision
        next.room = header.room ?? room
        self = next
        return .applied
    }

    private mutating func take(_ update: StateUpdate) throws(ProtocolFault) {
        now = try update.patch(NowSection.self).applied(to: now)
        timeline = try update.patch(TimelineSection.self).applied(to: timeline)
        volume = try update.patch(VolumeSection.self).applied(to: volume)
        modes = try update.patch(ModesSection.self).applied(to: modes)
        book = try update.patch(BookSection.self).applied(to: book)
        sleep = try update.patch(SleepSection.self).applied(to: sleep)
        queue = try update.patch(QueueSection.self).applied(to: queue)
        rooms = try update.patch(RoomsSection.self).applied(to: rooms)
        outputs = try update.patch(OutputsSection.self).applied(to: outputs)
        people = try update.patch(PeopleSection.self).applied(to: people)
        listeners = try update.patch(ListenersSection.self).applied(to: listeners)
        library = try update.patch(LibrarySection.self).applied(to: library)
        playlists = try update.patch(PlaylistsSection.self).applied(to: playlists)
        sources = try update.patch(SourcesSection.self).applied(to: sources)
        keeping = try update.patch(KeepingSection.self).applied(to: keeping)
        radio = try update.patch(RadioSection.self).applied(to: radio)
        jobs = try update.patch(JobsSection.self).applied(to: jobs)
        endless = try update.patch(EndlessSection.self).applied(to: endless)
        hub = try update.patch(HubSection.self).applied(to: hub)
        for (section, value) in update.sections {
            if value.isNull { sections.remove(section) } else { sections.insert(section) }
        }
    }

    /// Where the room is at a moment of the hub's clock.
    public func positionMs(atHubUs hubUs: Int64) -> Int {
        guard let timeline else { return 0 }
        let line = Timeline(
            entry: timeline.entry, positionMs: timeline.positionMs, atUs: timeline.atUs, rate: timeline.rate, state: .playing)
        return line.positionMs(atUs: hubUs, durationMs: now?.tags.durationMs)
    }

    /// The job of a piece in the making, or of one that ended lately: how far it is, who asked for it, and why it waits or failed. Rows of
    /// the queue name it by their `uri`.
    public func job(of uri: ItemURI?) -> JobRow? {
        guard let uri else { return nil }
        return jobs?.rows.first { $0.uri == uri }
    }

    /// How long ago the sound was received that is heard at a moment of the hub's clock; `nil` while it is heard as it comes.
    public func behindMs(atHubUs hubUs: Int64) -> Int? {
        guard let timeline else { return nil }
        var line = Timeline(entry: timeline.entry, positionMs: 0, atUs: timeline.atUs, rate: timeline.rate, state: .playing)
        line.behindMs = timeline.behindMs
        return line.behindMs(atUs: hubUs)
    }

    /// What `hello` offers after a reconnect.
    package func resume(epoch: String) -> Hello.Resume? {
        guard let room, revision > 0 else { return nil }
        return Hello.Resume(epoch: epoch, revision: revision, rooms: [room], sections: sections)
    }
}
