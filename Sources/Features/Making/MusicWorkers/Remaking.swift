import BatonCore
import BatonSeams

/// Generates sound again that was removed to free space, once for all simultaneous requests.
actor Remaking {
    private let remake: @Sendable (GenerationJob) async throws(SourceFault) -> Void
    private var running: [String: Task<Result<Void, SourceFault>, Never>] = [:]

    init(_ remake: @escaping @Sendable (GenerationJob) async throws(SourceFault) -> Void) { self.remake = remake }

    /// Returns when the sound exists.
    func wait(for job: GenerationJob) async throws(SourceFault) {
        if running[job.id] == nil {
            running[job.id] = Task { [remake] in
                do throws(SourceFault) { return .success(try await remake(job)) } catch { return .failure(error) }
            }
        }
        let result = await running[job.id]?.value
        running[job.id] = nil
        try result?.get()
    }
}
