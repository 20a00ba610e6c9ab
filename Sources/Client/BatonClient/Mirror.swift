public import BatonCore
public import BatonProtocol
package import BatonWire

/// A remote's copy of the hub's state: the sections that it follows, and their revision.
///
/// After an update it equals the hub's state at `revision`. An update that does not continue from the last one is a
/// gap: it is not applied, and a full state is needed.
public struct Mirror: Equatable, Sendable {
    /// Number of the hub's latest known change; 0 before the first state.
    public private(set) var revision = 0
    /// The room that the sections describe.
    public private(set) var room: RoomID?
    /// The sections that have a value, which a reconnect offers to continue.
    package private(set) var sections = SectionSet()

    /// The current item; `nil` when there is none.
    public private(set) var now: NowSection?
    /// The position, its time and its speed, from which `positionMs` computes the current one; `nil` if the remote does not follow it.
    public private(set) var timeline: TimelineSection?
    /// Level and mute of the room; `nil` if the remote does not follow them.
    public private(set) var volume: VolumeSection?
    /// Repeat, shuffle, speed and levelling of the room; `nil` if the remote does not follow them.
    public private(set) var modes: ModesSection?
    /// The current chapter, for items with chapters.
    public private(set) var book: BookSection?
    /// The sleep timer, while one runs.
    public private(set) var sleep: SleepSection?
    /// A summary of the queue, with its current and next entry; the rows are in a `QueueMirror`.
    public private(set) var queue: QueueSection?
    /// A summary of the hub's rooms, whichever of them the remote follows.
    public private(set) var rooms: RoomsSection?
    /// The hub's audio devices, with their rooms and problems.
    public private(set) var outputs: OutputsSection?
    /// The connected devices; only their number if the remote asked for the short form.
    public private(set) var people: PeopleSection?
    /// The people in the room, and the votes to skip the current item.
    public private(set) var listeners: ListenersSection?
    /// Contents of the local library and the progress of a scan; `nil` if there is no library.
    public private(set) var library: LibrarySection?
    /// A summary of the playlists, from which a remote sees that its list is old.
    public private(set) var playlists: PlaylistsSection?
    /// The server accounts with their status.
    public private(set) var sources: SourcesSection?
    /// Items stored offline on the hub's disk, and current downloads; `nil` while there are none.
    public private(set) var keeping: KeepingSection?
    /// The presets of the radio.
    public private(set) var radio: RadioSection?
    /// Pieces that are being generated, and those that finished last.
    public private(set) var jobs: JobsSection?
    /// The room's endless generated music.
    public private(set) var endless: EndlessSection?
    /// The hub's name, version and problems, and an open pairing window.
    public private(set) var hub: HubSection?

    /// A mirror without state, which accepts only a full update.
    package init() {}

    package enum Applied: Equatable, Sendable {
        /// The mirror now equals the hub's state at the revision of the update.
        case applied
        /// A full state must be requested.
        case gap
    }

    /// Applies an update whole or not at all: after a gap, and if a section is malformed, the mirror is unchanged.
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

    /// Takes a list that the hub had to cut in its state and that was read to its end.
    package mutating func take(_ whole: RoomsSection) { rooms = whole }
    package mutating func take(_ whole: OutputsSection) { outputs = whole }
    package mutating func take(_ whole: PeopleSection) { people = whole }
    package mutating func take(_ whole: ListenersSection) { listeners = whole }
    package mutating func take(_ whole: HubSection) { hub = whole }

    /// The room's position at a time of the hub's clock.
    public func positionMs(atHubUs hubUs: Microseconds) -> Milliseconds {
        guard let timeline else { return 0 }
        let line = Timeline(
            entry: timeline.entry, positionMs: timeline.positionMs, atUs: timeline.atUs, rate: timeline.rate, state: .playing)
        return line.positionMs(atUs: hubUs, durationMs: now?.tags.durationMs)
    }

    /// The job of a piece that is being generated or has finished lately: its progress, who asked for it, and why it
    /// waits or failed. Queue rows refer to it by their `uri`.
    public func job(of uri: ItemURI?) -> JobRow? {
        guard let uri else { return nil }
        return jobs?.rows.first { $0.uri == uri }
    }

    /// The delay between receiving and playing a station's sound, at a time of the hub's clock; `nil` while it plays
    /// live.
    public func behindMs(atHubUs hubUs: Microseconds) -> Milliseconds? {
        guard let timeline else { return nil }
        var line = Timeline(entry: timeline.entry, positionMs: 0, atUs: timeline.atUs, rate: timeline.rate, state: .playing)
        line.behindMs = timeline.behindMs
        return line.behindMs(atUs: hubUs)
    }

    /// The state that `hello` offers after a reconnect.
    package func resume(epoch: String) -> Hello.Resume? {
        guard let room, revision > 0 else { return nil }
        return Hello.Resume(epoch: epoch, revision: revision, rooms: [room], sections: sections)
    }
}
