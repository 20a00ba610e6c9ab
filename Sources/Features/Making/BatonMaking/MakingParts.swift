package import BatonCore
import BatonKernel
package import BatonSeams

/// The parts of the program that generated music needs.
package struct MakingParts: Sendable {
    let keeper: any JobKeeper
    /// The built-in worker, then those of the settings in order. The first is used until a person chooses another.
    let workers: [any GenerationWorker]
    /// The parts to add workers; without them none can be added.
    let adding: WorkerParts?
    /// Makes a unique job id.
    let newID: @Sendable () -> String
    let random: @Sendable () -> UInt64
    let guests: GuestPrompts
    /// Limit on stored sound, besides pieces that people keep, star, list or queue.
    let storeBytes: Int64
    /// The mixer; without it sessions are silent.
    let mixing: (any LoopMixing)?
    /// Compresses the sound of a finished piece without loss; without it the sound stays unchanged.
    let store: Storing?

    /// A function that stores the sound of a piece. It returns `nil` when there is nothing to do.
    package typealias Storing = @Sendable (GenerationJob, _ folder: String) async throws(SourceFault) -> StoredFile?

    package init(
        keeper: any JobKeeper, workers: [any GenerationWorker], adding: WorkerParts? = nil,
        newID: @escaping @Sendable () -> String,
        random: @escaping @Sendable () -> UInt64, guests: GuestPrompts = GuestPrompts(), storeBytes: Int64 = 2 << 30,
        mixing: (any LoopMixing)? = nil, store: Storing? = nil
    ) {
        self.keeper = keeper
        self.workers = workers
        self.adding = adding
        self.newID = newID
        self.random = random
        self.guests = guests
        self.storeBytes = storeBytes
        self.mixing = mixing
        self.store = store
    }
}

/// The parts to add workers by commands.
package struct WorkerParts: Sendable {
    let keeper: any WorkerKeeper
    /// Makes a worker, with a token that is not stored or with that of its description.
    let make: @Sendable (WorkerDescription, _ token: String?) throws(SourceFault) -> any GenerationWorker

    package init(
        keeper: any WorkerKeeper,
        make: @escaping @Sendable (WorkerDescription, _ token: String?) throws(SourceFault) -> any GenerationWorker
    ) {
        self.keeper = keeper
        self.make = make
    }
}
