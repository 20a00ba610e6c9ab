/// Estimates how long a worker takes for a piece: the median of the last twenty of the same model. Before the first one there is no estimate.
package struct MakingTimes: Equatable, Sendable {
    private struct Key: Hashable, Sendable {
        let worker: String
        let model: String?
    }

    private var times: [Key: [Milliseconds]] = [:]

    /// Number of times that are remembered for each model, so that an estimate follows a faster machine.
    package static let most = 20
    /// Limit for the number of models; times of further models are not stored.
    private static let mostModels = 200

    package init() {}

    /// Takes the times of these jobs, in the order in which they ended.
    package init(_ jobs: some Sequence<GenerationJob>) { for job in jobs { note(job) } }

    /// Takes the time of a job that has become ready; any other is ignored.
    package mutating func note(_ job: GenerationJob) {
        guard job.state == .ready, let begun = job.begunMs, let ended = job.endedMs, ended >= begun else { return }
        let key = Key(worker: job.worker, model: job.request.model)
        guard times[key] != nil || times.count < Self.mostModels else { return }
        times[key] = times[key, default: []].suffix(Self.most - 1) + [ended - begun]
    }

    /// The estimate. For an even number of times, the mean of the middle two.
    package func estimateMs(of job: GenerationJob) -> Milliseconds? {
        guard let sorted = times[Key(worker: job.worker, model: job.request.model)]?.sorted(), !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
