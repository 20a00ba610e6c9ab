/// Removes a cancelled job from a service: it is cancelled there if possible, else followed until its file can be
/// deleted.
import BatonCore
package import BatonSeams

extension HTTPWorker {
    package func discard(_ memory: String) async throws(SourceFault) -> Bool {
        switch try await left(memory) {
        case .nothing: true
        case .onItsWay: false
        case .job(let job): try await discard(job: job)
        }
    }

    private enum Left { case nothing, onItsWay, job(String) }

    /// The job that is left at the worker. A request that was in transit at the time of cancelling may arrive late.
    private func left(_ memory: String) async throws(SourceFault) -> Left {
        if var submission = RemoteSubmission(text: memory) {
            if case .look(let session) = submission.step {
                let answer = try await jobs(of: session)
                if answer == .listed([]) { return .onItsWay }
                submission.take(answer)
            }
            return submission.job.map { .job($0) } ?? .nothing
        }
        // A session's first piece stays, because other clips use its plan.
        guard var submission = ClipSubmission(text: memory) else { return .nothing }
        guard submission.isUncertain, case .look(let session) = submission.step else { return submission.job.map { .job($0) } ?? .nothing }
        guard let found = try await contents(of: session) else { return .nothing }
        submission.take(listing(found, submission.cell), of: submission.step)
        return submission.job.map { .job($0) } ?? .onItsWay
    }

    private func discard(job: String) async throws(SourceFault) -> Bool {
        if try await server.health().extensions.contains("cancel") {
            try await server.delete("/status/\(job)")
            return true
        }
        guard artifacts.isMapped else { return true }
        switch try await look(job) {
        case .unknown, .failed, .unreadable: return true
        case .making: return false
        case .done:
            let artifact = try await server.get("/artifact/\(job)", allowing: 404).json
            let motif = artifact?["metadata"]?["extras"]?["motif_seed"]?["path"]
            for path in [artifact?["artifact_path"], motif].compactMap({ $0?.string }) { artifacts.remove(path) }
            return true
        }
    }
}
