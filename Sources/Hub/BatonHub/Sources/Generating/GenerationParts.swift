package import BatonSeams

/// What making music needs beside the hub.
package struct GenerationParts: Sendable {
    package let keeper: any JobKeeper
    /// In the order of the settings; the first one is used where a person names none.
    package let workers: [any GenerationWorker]
    /// A new id, which no other job has.
    package let newID: @Sendable () -> String
    package let random: @Sendable () -> UInt64

    package init(
        keeper: any JobKeeper, workers: [any GenerationWorker], newID: @escaping @Sendable () -> String,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.keeper = keeper
        self.workers = workers
        self.newID = newID
        self.random = random
    }
}
