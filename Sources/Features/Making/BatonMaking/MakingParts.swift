package import BatonCore
import BatonKernel
package import BatonSeams

/// The parts of the program that generated music needs.
package struct MakingParts: Sendable {
    let storage: any JobStorage
    /// The built-in worker, then those of the settings in order. The first is used until a person chooses another.
    let workers: [any GenerationWorker]
    /// The parts to add workers; without them none can be added.
    let adding: WorkerParts?
    let numbers: any MakingNumbers
    let guests: GuestPrompts
    /// Limit on stored sound, besides pieces that people keep, star, list or queue.
    let storeBytes: Int64
    /// The mixer; without it sessions are silent.
    let mixing: (any LoopMixing)?
    /// Compresses the sound of a finished piece without loss; without it the sound stays unchanged.
    let store: (any SoundCompressing)?

    package init(
        storage: any JobStorage, workers: [any GenerationWorker], adding: WorkerParts? = nil, numbers: any MakingNumbers,
        guests: GuestPrompts = GuestPrompts(), storeBytes: Int64 = 2 << 30, mixing: (any LoopMixing)? = nil,
        store: (any SoundCompressing)? = nil
    ) {
        self.storage = storage
        self.workers = workers
        self.adding = adding
        self.numbers = numbers
        self.guests = guests
        self.storeBytes = storeBytes
        self.mixing = mixing
        self.store = store
    }
}

/// The parts to add workers by commands.
package struct WorkerParts: Sendable {
    let storage: any WorkerStorage
    let maker: any WorkerMaking

    package init(storage: any WorkerStorage, maker: any WorkerMaking) {
        self.storage = storage
        self.maker = maker
    }
}

/// The source of job ids and seeds.
package protocol MakingNumbers: Sendable {
    /// A unique job id.
    func newID() -> String
    func random() -> UInt64
}

/// Compresses the sound of finished pieces without loss.
package protocol SoundCompressing: Sendable {
    /// Stores the sound of a piece in another file of its folder. `nil` when there is nothing to do.
    func store(_ job: GenerationJob, in folder: String) async throws(SourceFault) -> StoredFile?
}

/// Makes workers that are added by commands.
package protocol WorkerMaking: Sendable {
    /// The worker, with a token that is not stored or with that of its description.
    func worker(_ description: WorkerDescription, token: String?) throws(SourceFault) -> any GenerationWorker
}
