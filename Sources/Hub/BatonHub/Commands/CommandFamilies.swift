import BatonCore
import BatonProtocol
import BatonSeams

/// The parts that carry out commands of one kind each. What comes here was let in by the door.
@Loop
struct CommandFamilies {
    let playback: PlaybackCommands
    let arranging: RoomCommands
    let library: LibraryCommands
    let playlists: PlaylistCommands
    let accounts: SourceCommands
    let savedQueues: SavedQueueCommands
    let keeping: KeepCommands
    let radio: RadioCommands
    let podcasts: PodcastCommands
    let bookmarks: BookmarkCommands
    let progress: ProgressCommands
    let generating: GenerationCommands
    let composing: ComposingCommands
    let clips: ClipCommands
    let prompts: PromptCommands
    let workers: WorkerCommands
    let joining: JoiningCommands
    let presence: PresenceCommands
    let listening: ListeningCommands
    let devices: DeviceRegistry?
    let users: UserCommands?
    let information: HubInformation
    let hold: WorkHold
    let guests: GuestRules
    let privacy: PlaylistPrivacy
    let rules: RoomRules
    let ledger: Ledger

    func handle(_ request: Request, _ visit: Visit) throws(ProtocolFault) -> Handling {
        try guests.check(request, by: visit.identity, in: visit.live)
        try privacy.check(request, by: visit.identity)
        try rules.check(request, by: visit.identity, in: visit.live.room.id)
        if request.kind.isOfPerson { composing.pressed(in: visit.live) }
        progress.pressed(request.kind, visit)
        if let handling = try joining.instead(of: request, visit) { return handling }
        switch request {
        case .room(let command): return try playback.handle(command, visit)
        case .play(let uri, let index, let position): return playback.play(uri, index: index, positionMs: position, visit)
        case .add(let uris, let place): return playback.add(uris, at: place, visit)
        case .replace(let base, let uris, let start, let position):
            return playback.replace(base: base, uris, start: start, positionMs: position, visit)
        case .queueWindow(let from, let count):
            return answered(visit, with: .queuePage(keeping.marked(visit.live.room.queue.page(from: from, count: count))))
        case .queueRows(let ids): return answered(visit, with: .queuePage(keeping.marked(visit.live.room.queue.page(of: ids))))
        case .queueHistory: return answered(visit, with: .queueHistory(QueueHistoryList(visit.live.room.queue)))
        case .savedQueue(let request): return savedQueues.handle(request, visit)
        case .rooms(let request): return try arranging.handle(request, visit)
        case .hubInfo: return answered(visit, with: .hubInfo(information.answer(to: visit.identity)))
        case .hubLog(let query):
            guard let log = information.program?.logLines(query) else {
                throw ProtocolFault(.unsupported, "This hub keeps no lines of its log.")
            }
            return answered(visit, with: .hubLog(log))
        case .hubResume:
            let outcome: Reply.Outcome = hold.end() ? .applied() : .noop(why: .same)
            return .answered(Answer(Reply(id: visit.id, outcome, revision: ledger.revision)))
        case .devices(let request):
            guard let devices else {
                throw ProtocolFault(.unsupported, "This hub was started without keys of its own, so it cannot pair.")
            }
            let (outcome, data) = try devices.handle(request, for: visit.identity)
            return .answered(Answer(Reply(id: visit.id, outcome, revision: ledger.revision, data: data)))
        case .users(let request):
            guard let users else { throw ProtocolFault(.unsupported, "This hub was started without a place to keep users.") }
            return try users.handle(request, visit)
        case .library(let request): return library.handle(request, visit)
        case .playlists(let request): return playlists.handle(request, visit)
        case .sources(let request): return accounts.handle(request, visit)
        case .keeping(let request): return keeping.handle(request, visit)
        case .radio(let request): return radio.handle(request, visit)
        case .podcasts(let request): return podcasts.handle(request, visit)
        case .bookmarks(let request): return try bookmarks.handle(request, visit)
        case .progress(let request): return try progress.handle(request, visit)
        case .composing(let request): return composing.handle(request, visit)
        case .clips(let request): return clips.handle(request, visit)
        case .jobs(let request): return generating.handle(request, visit)
        case .prompts(let request): return prompts.handle(request, visit)
        case .workers(let request): return try workers.handle(request, visit)
        case .joining(let request):
            if visit.live.isPrivate { throw ProtocolFault(.invalidState, "A room of your own plays along with no other server's room.") }
            return joining.handle(request, visit)
        case .presence(let request): return try presence.handle(request, visit)
        case .listening(let request): return try listening.handle(request, visit)
        case .art(let request): return try library.picture(request, visit)
        case .unsupported(let kind):
            throw ProtocolFault(.unsupported, "This hub knows of “\(kind.rawValue)” but cannot do it yet.", at: "/m")
        }
    }

    private func answered(_ visit: Visit, with data: ReplyData) -> Handling {
        .answered(Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: data)))
    }
}
