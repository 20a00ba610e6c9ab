package import BatonCore
import BatonKernel
package import BatonSeams

/// What making music needs beside the hub.
package struct GenerationParts: Sendable {
    package let keeper: any JobKeeper
    /// The built-in one, then those of the settings in their order; the first one is used until a person chooses another.
    package let workers: [any GenerationWorker]
    /// How others are added; without it none can be.
    package let adding: WorkerParts?
    /// A new id, which no other job has.
    package let newID: @Sendable () -> String
    package let random: @Sendable () -> UInt64
    package let guests: GuestPrompts
    /// How much sound is kept on the disk, beside what people keep, star, list or queue.
    package let storeBytes: Int64
    /// Without it sessions are silent.
    package let mixing: (any LoopMixing)?
    /// Stores the sound of a finished piece in its folder without loss; without it workers' sound stays as it is.
    package let store: Storing?

    /// `nil` where nothing is to be done.
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

/// How workers are added by commands.
package struct WorkerParts: Sendable {
    package let keeper: any WorkerKeeper
    /// Makes a worker, with a token that is not kept or with that of its description.
    package let make: @Sendable (WorkerDescription, _ token: String?) throws(SourceFault) -> any GenerationWorker

    package init(
        keeper: any WorkerKeeper,
        make: @escaping @Sendable (WorkerDescription, _ token: String?) throws(SourceFault) -> any GenerationWorker
    ) {
        self.keeper = keeper
        self.make = make
    }
}
