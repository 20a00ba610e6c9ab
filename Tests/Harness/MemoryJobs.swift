package import BatonCore
package import BatonSeams
import Synchronization

/// Jobs in memory, across simulated crashes of a hub. The disk can be full.
package final class MemoryJobs: JobKeeper {
    private struct State {
        var jobs: [GenerationJob] = []
        var made: [String: (CommandKey, String)] = [:]
        var fault: SourceFault?
        var removed: [String] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func fail(_ fault: SourceFault?) { state.withLock { $0.fault = fault } }
    package var removed: [String] { state.withLock { $0.removed } }

    package func jobs() throws(SourceFault) -> [GenerationJob] { state.withLock { $0.jobs } }

    package func job(_ id: String) throws(SourceFault) -> GenerationJob? { state.withLock { $0.jobs.first { $0.id == id } } }

    package func pieces(_ words: [String], from: Int, limit: Int) throws(SourceFault) -> [GenerationJob] {
        state.withLock { Array($0.jobs.filter { $0.state == .ready }.reversed().dropFirst(from).prefix(limit)) }
    }

    package func job(madeBy once: CommandKey) throws(SourceFault) -> (job: GenerationJob, hash: [UInt8])? {
        state.withLock { state in
            guard let (key, id) = state.made["\(once.device) \(once.key)"], let job = state.jobs.first(where: { $0.id == id }) else {
                return nil
            }
            return (job, key.hash)
        }
    }

    package func put(_ job: GenerationJob, once: CommandKey?) throws(SourceFault) {
        let fault = state.withLock { state in
            if let fault = state.fault { return fault as SourceFault? }
            if let at = state.jobs.firstIndex(where: { $0.id == job.id }) { state.jobs[at] = job } else { state.jobs.append(job) }
            if let once { state.made["\(once.device) \(once.key)"] = (once, job.id) }
            return nil
        }
        if let fault { throw fault }
    }

    package func folder(of id: String, isFresh: Bool) throws(SourceFault) -> String { "/jobs/\(id)" }
    package func removeFiles(of id: String) { state.withLock { $0.removed.append(id) } }
    package func file(_ name: String, of id: String) throws(SourceFault) -> NamedFile {
        throw SourceFault(.gone, "There is no file.")
    }
}
