package import BatonCore

/// Makes music from prompts: a program of this machine, or a service on the network.
package protocol GenerationWorker: Sendable {
    /// By which people choose it: lower-case letters, digits and `-`.
    var name: String { get }
    var about: WorkerAbout { get }

    /// How it is now; throws a sentence for people when it cannot be used.
    func health() async throws(SourceFault) -> WorkerHealth

    /// Makes the piece, from where the order's memory says that it stands. Its files are in the order's folder when this returns.
    /// A cancelled task ends the work at the worker, as far as the worker can.
    ///
    /// Throws `unavailable` when the worker cannot be reached for now: the same order is given again later, with the memory that
    /// was noted last.
    func make(
        _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> GeneratedPiece

    /// Ends what the worker still has of a cancelled job, and deletes the file that comes late. False when there is something
    /// to be ended later.
    func discard(_ memory: String) async throws(SourceFault) -> Bool
}

extension GenerationWorker {
    package func health() async throws(SourceFault) -> WorkerHealth { WorkerHealth() }
    package func discard(_ memory: String) async throws(SourceFault) -> Bool { true }
}

/// What a worker answers when it is asked how it is.
package struct WorkerHealth: Equatable, Sendable {
    /// Why it makes noise in the place of music, where it does.
    package var placeholder: String?
    /// The models that it names.
    package var models: [String]
    /// The extensions of the protocol of workers that it has.
    package var extensions: [String]

    package init(placeholder: String? = nil, models: [String] = [], extensions: [String] = []) {
        self.placeholder = placeholder
        self.models = models
        self.extensions = extensions
    }
}

/// What a worker says of itself.
package struct WorkerAbout: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case builtIn = "built-in"
        case program, http
    }

    package var kind: Kind
    /// Programs make whole pieces only.
    package var makesClips: Bool { kind != .program }
    package var bounds: PromptBounds
    /// The path of a program, or the address of a service; told to admins only.
    package var place: String

    package init(kind: Kind, bounds: PromptBounds, place: String) {
        self.kind = kind
        self.bounds = bounds
        self.place = place
    }
}

/// One job as a worker gets it.
package struct GenerationOrder: Equatable, Sendable {
    package var id: String
    package var request: GenerationRequest
    /// What the worker noted last.
    package var memory: String?
    /// Exists, is empty at the first try, and belongs to this job alone.
    package var folder: String
    /// Who asked for the piece, as people see it.
    package var author: String?
    /// The session to which a clip belongs, or whose motif a piece goes on with; `nil` at workers that keep none.
    package var session: WorkerSession?

    package init(
        id: String, request: GenerationRequest, memory: String?, folder: String, author: String? = nil, session: WorkerSession? = nil
    ) {
        self.id = id
        self.request = request
        self.memory = memory
        self.folder = folder
        self.author = author
        self.session = session
    }
}

/// What a worker reports meanwhile.
package enum WorkerNote: Equatable, Sendable {
    /// It has the job, and has not begun.
    case accepted
    case progress(percent: Int, message: String?)
    /// Is on disk when the call returns.
    case remembers(String)
    /// The files are being copied.
    case fetching
    /// The worker has the session of the order so. Is on disk when the call returns.
    case session(WorkerSession)
}
