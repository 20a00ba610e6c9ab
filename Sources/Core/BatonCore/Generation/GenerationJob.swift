/// One piece in the making, from the press to the finished sound: a value that decides which steps are possible.
///
/// The store has each step before it is acted on, so that a job goes on after the hub was killed at any moment.
package struct GenerationJob: Equatable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// Waits for a person who may allow it.
        case approval
        /// Its worker cannot be reached.
        case offline
        /// Waits for its turn at the worker, or is being given to it.
        case submitting
        /// The worker has it, and has not begun.
        case queued
        case running
        /// The worker is done; its files are being copied.
        case fetching
        case ready, failed, cancelled

        package var isOver: Bool { self == .ready || self == .failed || self == .cancelled }
        /// With the worker.
        package var isUnderWay: Bool { self == .queued || self == .running || self == .fetching }
    }

    package let id: String
    package let worker: String
    package private(set) var request: GenerationRequest
    /// Who asked for it: the name people see.
    package let author: String?
    /// Whose wish it was: who may cancel it, and whose prompts it belongs to. Kept, and never told to a remote.
    package let owner: String
    package let startedMs: Int64
    /// The room whose queue has an entry of it.
    package let room: RoomID?
    /// It is played as soon as it is ready.
    package let playsWhenReady: Bool

    package var state = State.submitting
    /// 0 to 100, and never less than before while one worker makes it.
    package private(set) var percent = 0
    /// What the worker says it is doing.
    package private(set) var message: String?
    /// Why it failed, or waits.
    package private(set) var sentence: String?
    /// What its worker has to know to go on after a restart.
    package private(set) var memory: String?
    package private(set) var piece: GeneratedPiece?
    package private(set) var endedMs: Int64?
    /// When its worker began with what is being made now.
    package private(set) var begunMs: Int64?
    /// Its sound is never removed to make room.
    package var isKept = false

    package init(
        id: String, worker: String, request: GenerationRequest, author: String?, owner: String = "", startedMs: Int64, room: RoomID?,
        playsWhenReady: Bool
    ) {
        self.id = id
        self.worker = worker
        self.request = request
        self.author = author
        self.owner = owner
        self.startedMs = startedMs
        self.room = room
        self.playsWhenReady = playsWhenReady
    }

    /// As it was kept.
    package mutating func recall(
        _ state: State, percent: Int, sentence: String?, memory: String?, piece: GeneratedPiece?, begunMs: Int64? = nil, endedMs: Int64?,
        isKept: Bool = false
    ) {
        self.state = state
        self.percent = percent
        self.sentence = sentence
        self.memory = memory
        self.piece = piece
        self.begunMs = begunMs
        self.endedMs = endedMs
        self.isKept = isKept
    }

    package enum Event: Equatable, Sendable {
        case approved
        /// Its turn has come, or the hub tries again.
        case begun
        /// The worker has it and has not begun.
        case accepted
        case progress(Int, message: String?)
        case remembers(String?)
        /// The worker cannot be reached for now.
        case away(String)
        case fetching
        case finished(GeneratedPiece)
        case failed(String)
        case cancelled
        /// The worker has nothing of a cancelled job any more.
        case forgotten
        /// The sound of the finished piece is in another file now.
        case stored(sound: String, bytes: Int64)
        /// The sound of the finished piece is not there any more, and cannot be made again.
        case lost
        /// A person wishes something of a piece that its worker has not got yet.
        case steered(Steer)
        /// A person asks for it again after it failed or was cancelled.
        case retried
    }

    /// False when the event changes nothing: it came too late, or is none for this state.
    package mutating func take(_ event: Event, atMs nowMs: Int64) -> Bool {
        let before = self
        switch event {
        case .approved where state == .approval: state = .submitting
        case .begun where state == .offline || state == .submitting || state.isUnderWay:
            state = .submitting
            sentence = nil
            // One that its worker remembers goes on from where it was.
            if memory == nil { begunMs = nowMs }
        case .accepted where isOpen && state != .running && state != .fetching: state = .queued
        case .progress(let percent, let message) where isOpen:
            state = .running
            self.percent = max(self.percent, min(100, percent))
            self.message = message
        case .remembers(let memory) where isOpen: self.memory = memory
        case .away(let sentence) where isOpen:
            state = .offline
            self.sentence = sentence
        case .fetching where isOpen:
            state = .fetching
            percent = 100
        case .finished(let piece) where isOpen:
            end(.ready, atMs: nowMs)
            self.piece = piece
            percent = 100
        case .failed(let sentence) where isOpen:
            end(.failed, atMs: nowMs)
            self.sentence = sentence
        case .stored(let sound, let bytes) where state == .ready:
            piece?.sound = sound
            piece?.bytes = bytes
        case .lost where state == .ready: state = .failed
        case .cancelled where !state.isOver:
            // By it the worker is told, also by a hub that was started again.
            let place = memory
            end(.cancelled, atMs: nowMs)
            memory = place
        case .forgotten where state == .cancelled: memory = nil
        case .steered(let steer) where state == .submitting && request.steering.count < Steer.mostPresses:
            request.steering.append(steer)
        case .retried where state == .failed || state == .cancelled:
            state = .submitting
            (percent, message, sentence, memory, piece, begunMs, endedMs) = (0, nil, nil, nil, nil, nil, nil)
        default: return false
        }
        return self != before
    }

    /// Whether a worker may still report about it.
    private var isOpen: Bool { !state.isOver && state != .approval }

    private mutating func end(_ state: State, atMs nowMs: Int64) {
        self.state = state
        sentence = nil
        message = nil
        memory = nil
        endedMs = nowMs
    }

    /// What its entry in a queue shows. Until the piece has a title of its own that is the prompt.
    package var title: String { piece?.title ?? request.title ?? request.prompt }

    package var tags: Tags {
        var tags = Tags(title: title, artists: author.map { [$0] } ?? [])
        tags.kind = .generation
        tags.durationMs = piece?.durationMs
        return tags
    }
}

/// What a worker has made of a prompt.
package struct GeneratedPiece: Equatable, Sendable {
    package var title: String?
    package var durationMs: Int
    package var tempo: Int?
    package var key: String?
    /// By which the built-in composer makes it again.
    package var recipe: String?
    /// The name of its sound in the job's folder.
    package var sound: String
    package var hasScore: Bool
    package var bytes: Int64

    package init(
        title: String? = nil, durationMs: Int, tempo: Int? = nil, key: String? = nil, recipe: String? = nil, sound: String,
        hasScore: Bool = false, bytes: Int64 = 0
    ) {
        self.title = title
        self.durationMs = durationMs
        self.tempo = tempo
        self.key = key
        self.recipe = recipe
        self.sound = sound
        self.hasScore = hasScore
        self.bytes = bytes
    }
}
