/// What a service still has of a job that was cancelled: ended there where it can be, else followed until its file can be deleted.
import BatonCore
package import BatonSeams

extension HTTPWorker {
    package func discard(_ memory: String) async throws(SourceFault) -> Bool {
        guard var submission = RemoteSubmission(text: memory) else { return true }
        if case .look(let session) = submission.step {
            let answer = try await jobs(of: session)
            // What was on its way when the job was cancelled may arrive late.
            if answer == .listed([]) { return false }
            submission.take(answer)
        }
        guard let job = submission.job else { return true }
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
