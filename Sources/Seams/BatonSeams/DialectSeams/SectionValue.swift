package import BatonProtocol

/// The value of one section. Codecs turn it into bytes.
package indirect enum SectionValue: Equatable, Sendable {
    case now(NowSection)
    case timeline(TimelineSection)
    case volume(VolumeSection)
    case modes(ModesSection)
    case queue(QueueSection)
    case book(BookSection)
    case sleep(SleepSection)
    case rooms(RoomsSection)
    case outputs(OutputsSection)
    /// Connected people by name, or only their number.
    case people(PeopleSection)
    case listeners(ListenersSection)
    /// The same without names.
    case votes(VotesSection)
    case library(LibrarySection)
    case playlists(PlaylistsSection)
    case sources(SourcesSection)
    case keeping(KeepingSection)
    case radio(RadioSection)
    case jobs(JobsSection)
    case endless(EndlessSection)
    case hub(HubSection)
    // The short forms for a watch.
    case watchItem(WatchItem)
    case watchLine(WatchLine)
    case watchVolume(WatchVolume)
    case watchModes(WatchModes)
    case watchRoom(WatchRoom)
    case watchProblem(WatchProblem)
    case watchJob(WatchJob)
    case watchBook(WatchBook)
    case watchSleep(WatchSleep)

    /// The section that the value belongs to.
    package var section: Section {
        switch self {
        case .now: .now
        case .timeline: .timeline
        case .volume: .volume
        case .modes: .modes
        case .queue: .queue
        case .book: .book
        case .sleep: .sleep
        case .rooms: .rooms
        case .outputs: .outputs
        case .people(.list): .people
        case .people(.number): .peopleCount
        case .listeners: .listeners
        case .votes: .votes
        case .library: .library
        case .playlists: .playlists
        case .sources: .sources
        case .keeping: .keeping
        case .radio: .radio
        case .jobs: .jobs
        case .endless: .endless
        case .hub: .hub
        case .watchItem: .watchItem
        case .watchLine: .watchLine
        case .watchVolume: .watchVolume
        case .watchModes: .watchModes
        case .watchRoom: .watchRoom
        case .watchProblem: .watchProblem
        case .watchJob: .watchJob
        case .watchBook: .watchBook
        case .watchSleep: .watchSleep
        }
    }
}
