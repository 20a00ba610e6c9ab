import BatonCore
import BatonProtocol
import BatonSeams

/// The sections of one room, as commands read them.
@Loop
struct RoomView {
    private let state: HubState
    private let room: RoomID

    init(_ state: HubState, _ room: RoomID) {
        self.state = state
        self.room = room
    }

    var now: NowSection? { if case .now(let now)? = state.posted(.now, of: room)?.value { now } else { nil } }
    var timeline: TimelineSection? { if case .timeline(let line)? = state.posted(.timeline, of: room)?.value { line } else { nil } }
    var volume: VolumeSection? { if case .volume(let volume)? = state.posted(.volume, of: room)?.value { volume } else { nil } }
    var modes: Modes { if case .modes(let modes)? = state.posted(.modes, of: room)?.value { modes.modes } else { Modes() } }
    var queue: QueueSection? { if case .queue(let queue)? = state.posted(.queue, of: room)?.value { queue } else { nil } }
    var problem: String? {
        if case .watchProblem(let problem)? = state.posted(.watchProblem, of: room)?.value { problem.message } else { nil }
    }
    var library: LibrarySection? { if case .library(let library)? = state.posted(.library, of: nil)?.value { library } else { nil } }
    var rooms: [RoomsSection.Room] { if case .rooms(let rooms)? = state.posted(.rooms, of: nil)?.value { rooms.rooms } else { [] } }
    var outputs: [OutputsSection.Output] {
        if case .outputs(let outputs)? = state.posted(.outputs, of: nil)?.value { outputs.outputs } else { [] }
    }
    var sources: [SourcesSection.Source] {
        if case .sources(let sources)? = state.posted(.sources, of: nil)?.value { sources.sources } else { [] }
    }

    var playing: RoomStatus.State {
        switch timeline?.state {
        case .playing, .buffering: .play
        case .paused: .pause
        default: .stop
        }
    }
}
