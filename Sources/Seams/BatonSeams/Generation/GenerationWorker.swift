package import BatonCore

/// Generates music from prompts: a program of this machine, or a service on the network.
package protocol GenerationWorker: Sendable {
    /// The name by which people choose it: lower-case letters, digits and `-`.
    var name: String { get }
    var about: WorkerAbout { get }

    /// The state of the worker; throws a sentence for people when it cannot be used.
    func health() async throws(SourceFault) -> WorkerHealth

    /// Generates the piece, continuing from the order's memory. Its files are in the order's folder when this returns. Cancelling the task ends the
    /// work at the worker, if the worker can do that.
    ///
    /// Throws `unavailable` when the worker cannot be reached for now: the same order is given again later, with the memory that was noted last.
    func make(
        _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> GeneratedPiece

    /// Ends the rest of a cancelled job at the worker, and deletes a file that arrives late. Returns false when something has to be ended later.
    func discard(_ memory: String) async throws(SourceFault) -> Bool
}

extension GenerationWorker {
    package func health() async throws(SourceFault) -> WorkerHealth { WorkerHealth() }
    package func discard(_ memory: String) async throws(SourceFault) -> Bool { true }
}

/// The worker's answer about its state.
package struct WorkerHealth: Equatable, Sendable {
    /// The reason why it generates noise instead of music, if it does.
    package var placeholder: String?
    /// The models that it offers.
    package var models: [String]
    /// The extensions of the worker protocol that it supports.
    package var extensions: [String]

    package init(placeholder: String? = nil, models: [String] = [], extensions: [String] = []) {
        self.placeholder = placeholder
        self.models = models
        self.extensions = extensions
    }
}

/// The fixed description of a worker.
package struct WorkerAbout: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The composer that comes with the hub.
        case builtIn = "built-in"
        /// A program of this machine, or a service that is called over HTTP.
        case program, http
    }

    /// The kind, which decides whether it makes clips.
    package var kind: Kind
    /// True for workers that make clips; programs make whole pieces only.
    package var makesClips: Bool { kind != .program }
    /// The limits within which prompts for this worker are read.
    package var bounds: PromptBounds
    /// The path of a program, or the address of a service; shown to admins only.
    package var location: String

    package init(kind: Kind, bounds: PromptBounds, location: String) {
        self.kind = kind
        self.bounds = bounds
        self.location = location
    }
}

/// One job in the form that a worker gets.
package struct GenerationOrder: Equatable, Sendable {
    package var id: String
    /// The piece or clip that is wanted.
    package var request: GenerationRequest
    /// The data that the worker noted last.
    package var memory: String?
    /// The folder of this job, which exists and is empty at the first try.
    package var folder: String
    /// The requester's name that people see.
    package var author: String?
    /// The session that a clip belongs to, or whose motif a piece continues; `nil` at workers without sessions.
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

/// A report of a worker during a job.
package enum WorkerNote: Equatable, Sendable {
    /// The worker has the job and has not begun.
    case accepted
    /// The progress in percent, and a message for people.
    case progress(percent: Int, message: String?)
    /// Data to store, which is on disk when the call returns.
    case remembers(String)
    /// The files are being copied.
    case fetching
    /// The state of the order's session at the worker, which is on disk when the call returns.
    case session(WorkerSession)
}
