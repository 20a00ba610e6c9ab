import BatonCore
import BatonProtocol
import BatonSeams

/// The state that connections were told of, from which follows what has happened since.
struct ToldState {
    /// Changes since the last look.
    struct Changes {
        var events: [RoomID: Events] = [:]
        /// True when rows of the library may be others.
        var hasNewLibrary = false

        /// Leaves out what concerns the library.
        mutating func keepLibrary() {
            hasNewLibrary = false
            events = events.mapValues { $0.subtracting(.database) }
        }
    }

    private var revision = 0
    private var rooms: [RoomID] = []
    private var libraryRevision: Int?
    /// The revision at which the library's section was last posted.
    private var libraryPosted: Int?
    private(set) var isScanning = false

    private static let followed: SectionSet = [.now, .timeline, .volume, .modes, .queue, .outputs, .playlists, .library, .rooms]
    /// Events of sections. Those of the queue and the player are told by `QueueMirror`, which sees whether anything of theirs is another.
    private static let events: [(Section, Events)] = [
        (.now, .player), (.timeline, .player), (.queue, .playlist), (.volume, .mixer), (.modes, .options), (.outputs, .output),
        (.playlists, .storedPlaylist),
    ]

    @Loop
    mutating func begin(_ state: HubState) { _ = take(state, rooms: [RoomID]()) }

    /// Whether the library is as it was at the last look.
    @Loop
    func knowsLibrary(of state: HubState) -> Bool { state.posted(.library, of: nil)?.revision == libraryPosted }

    /// Takes over the newest state, and says what has changed for the connections of each of these rooms.
    @Loop
    mutating func take(_ state: HubState, rooms followed: some Collection<RoomID>) -> Changes {
        var changes = Changes()
        let known = revision
        revision = state.revision
        libraryPosted = state.posted(.library, of: nil)?.revision
        var ofAll: Events = []
        let all = state.newer(than: known, of: [.library, .rooms], in: state.firstRoom)
        if all.contains(.library) { ofAll.formUnion(libraryEvents(state, &changes)) }
        if all.contains(.rooms) || rooms.isEmpty {
            let ids = state.roomIDs
            if ids != rooms { ofAll.insert(.partition) }
            rooms = ids
        }
        for room in followed {
            let newer = state.newer(than: known, of: Self.followed, in: room)
            var events = ofAll
            for (section, event) in Self.events where newer.contains(section) { events.formUnion(event) }
            changes.events[room] = events
        }
        return changes
    }

    @Loop
    private mutating func libraryEvents(_ state: HubState, _ changes: inout Changes) -> Events {
        guard case .library(let library)? = state.posted(.library, of: nil)?.value else { return [] }
        var events: Events = []
        let scans = library.scan != nil
        if scans != isScanning { events.insert(.update) }
        isScanning = scans
        if libraryRevision != library.revision {
            changes.hasNewLibrary = true
            if libraryRevision != nil { events.insert(.database) }
        }
        libraryRevision = library.revision
        return events
    }
}

/// Numbers of updates of the library, which the protocol gives each of them.
@Loop
final class Updates {
    private(set) var number = 0
    private var isRunning = false
    /// Whether a command began the last one, and the state has not shown it. A short one is never shown.
    private var isAwaited = false
    /// When the library last changed.
    private(set) var changedMs: Milliseconds?

    /// The number of the update that runs.
    var current: Int? { isRunning ? number : nil }

    func begin(isRunning: Bool) { _ = note(isRunning: isRunning) }

    /// Takes over what the state shows; true when clients know it already.
    func note(isRunning: Bool) -> Bool {
        let begins = isRunning && !self.isRunning
        self.isRunning = isRunning
        guard begins else { return false }
        if !isAwaited { number += 1 }
        defer { isAwaited = false }
        return isAwaited
    }

    func noteChange(atMs nowMs: Milliseconds) { changedMs = nowMs }

    /// Counts an update that a command has begun; false when one runs already, which then is that of the command.
    func begun() -> Bool {
        if isRunning { return false }
        number += 1
        isAwaited = true
        return true
    }
}
