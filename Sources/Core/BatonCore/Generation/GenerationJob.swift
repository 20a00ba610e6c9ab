/// A job that generates one piece, from the request to the finished sound: a value that decides which steps are possible.
///
/// Each step is stored before it is acted on, so that a job continues after the hub was killed at any moment.
package struct GenerationJob: Equatable, Sendable {
    /// The stage of a job. Its raw value is stored.
    package enum State: String, Sendable, CaseIterable {
        /// Waits for the approval of a person.
        case approval
        /// Its worker cannot be reached.
        case offline
        /// Waits for its turn at the worker, or is being submitted.
        case submitting
        /// The worker has accepted it and has not begun.
        case queued
        case running
        /// The worker has finished; its files are being copied.
        case fetching
        case ready, failed, cancelled

        /// True for a job that makes no progress any more; a person may request a failed or cancelled one again.
        package var isOver: Bool { self == .ready || self == .failed || self == .cancelled }
        /// True while the worker handles it.
        package var isUnderWay: Bool { self == .queued || self == .running || self == .fetching }
    }

    /// The id, from which the item's URI is made.
    package let id: String
    /// The name of the worker that makes it.
    package let worker: String
    /// The wanted piece. Steering may still change it until the worker has received it.
    package private(set) var request: GenerationRequest
    /// The requester's name that people see.
    package let author: String?
    /// The owner, who may cancel the job and whose prompt history it belongs to. Stored, and never sent to a remote.
    package let owner: String
    /// Wall clock time of the request.
    package let startedMs: Milliseconds
    /// The room whose queue has an entry for it.
    package let room: RoomID?
    /// True when it plays as soon as it is ready.
    package let playsWhenReady: Bool

    /// The stage, which `take` moves on; a new job of a guest may begin in `approval`.
    package private(set) var state: State
    /// Progress from 0 to 100; it never decreases while one worker handles the job.
    package private(set) var percent = 0
    /// The worker's progress message.
    package private(set) var message: String?
    /// The reason why it failed or waits.
    package private(set) var sentence: String?
    /// Data with which the worker's adapter continues after a restart.
    package private(set) var memory: String?
    /// The result; `nil` until the job was ready. It stays when its sound is lost.
    package private(set) var piece: GeneratedPiece?
    /// Wall clock time at which it became ready, failed or was cancelled; `nil` before.
    package private(set) var endedMs: Milliseconds?
    /// The time at which the worker began the present attempt.
    package private(set) var begunMs: Milliseconds?
    /// True when its sound is never removed to free space.
    package private(set) var isKept: Bool

    /// A job that was just requested.
    package init(
        id: String, worker: String, request: GenerationRequest, author: String?, owner: String = "", startedMs: Milliseconds, room: RoomID?,
        playsWhenReady: Bool, state: State = .submitting, isKept: Bool = false
    ) {
        self.id = id
        self.worker = worker
        self.request = request
        self.author = author
        self.owner = owner
        self.startedMs = startedMs
        self.room = room
        self.playsWhenReady = playsWhenReady
        self.state = state
        self.isKept = isKept
    }

    /// Restores the stored state.
    package mutating func recall(
        _ state: State, percent: Int, sentence: String?, memory: String?, piece: GeneratedPiece?, begunMs: Milliseconds? = nil,
        endedMs: Milliseconds?,
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

    /// Marks its sound as one that is never removed, or takes the mark back.
    package mutating func keep(_ isOn: Bool) { isKept = isOn }

    /// Something that happened to a job, at the hub or at its worker.
    package enum Event: Equatable, Sendable {
        /// Another person has approved the piece of a guest.
        case approved
        /// Its turn has come, or the hub tries again.
        case begun
        /// The worker has accepted it and has not begun.
        case accepted
        /// The worker's progress in percent; a smaller number than before is ignored.
        case progress(Int, message: String?)
        /// Data that the worker's adapter wants back after a restart; `nil` clears it.
        case remembers(String?)
        /// The worker cannot be reached for now.
        case away(String)
        /// The worker has finished, and its files are on their way.
        case fetching
        /// The files are complete on the hub's disk.
        case finished(GeneratedPiece)
        /// The worker, or the hub, has given the job up for this reason.
        case failed(String)
        /// A person has withdrawn the request; the worker is told afterwards.
        case cancelled
        /// The worker holds nothing of a cancelled job any more.
        case forgotten
        /// The sound of the finished piece is in another file now.
        case stored(sound: String, bytes: Int64)
        /// The sound of the finished piece is missing and cannot be generated again.
        case lost
        /// A person has steered a piece that its worker has not received yet.
        case steered(Steer)
        /// A person has requested it again after it failed or was cancelled.
        case retried
    }

    /// Applies an event. Returns false when it changes nothing: it came too late, or does not fit the state.
    package mutating func take(_ event: Event, atMs nowMs: Milliseconds) -> Bool {
        let before = self
        switch event {
        case .approved where state == .approval: state = .submitting
        case .begun where state == .offline || state == .submitting || state.isUnderWay:
            state = .submitting
            sentence = nil
            // A job that its worker remembers continues where it was.
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
            // The memory is still needed to tell the worker, also after a restart.
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

    /// True while a worker may still report progress.
    private var isOpen: Bool { !state.isOver && state != .approval }

    private mutating func end(_ state: State, atMs nowMs: Milliseconds) {
        self.state = state
        sentence = nil
        message = nil
        memory = nil
        endedMs = nowMs
    }

    /// The title of its queue entry: the prompt until the piece has a title.
    package var title: String { piece?.title ?? request.title ?? request.prompt }

    /// The tags of its queue entry; without a length until the piece is ready.
    package var tags: Tags {
        var tags = Tags(title: title, artists: author.map { [$0] } ?? [])
        tags.kind = .generation
        tags.durationMs = piece?.durationMs
        return tags
    }
}

/// The result of a job.
package struct GeneratedPiece: Equatable, Sendable {
    /// The title that its maker gave it; `nil` leaves the prompt as its title.
    package var title: String?
    /// Length of the sound, which may differ from the wanted one.
    package var durationMs: Milliseconds
    /// Beats per minute; `nil` where the worker does not say.
    package var tempo: Int?
    /// The key as text, such as `D minor`; `nil` where the worker does not say.
    package var key: String?
    /// The recipe with which the built-in composer generates it again.
    package var recipe: String?
    /// The file name of its sound in the job's folder.
    package var sound: String
    /// True if a score lies beside the sound.
    package var hasScore: Bool
    /// Size of the sound in bytes, which counts towards the limit of the disk.
    package var bytes: Int64

    package init(
        title: String? = nil, durationMs: Milliseconds, tempo: Int? = nil, key: String? = nil, recipe: String? = nil, sound: String,
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
