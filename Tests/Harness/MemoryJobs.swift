package import BatonCore
package import BatonSeams
import Synchronization

/// Jobs in memory, across simulated crashes of a hub. The disk can be full.
package final class MemoryJobs: JobStorage {
    private struct State {
        var jobs: [GenerationJob] = []
        var made: [String: (CommandKey, String)] = [:]
        var fault: SourceFault?
        /// So many writes are stored, and what comes later is lost, as when the hub is killed then.
        var writesLeft: Int?
        var removed: [String] = []
        var prompts: [String: PersonPrompts] = [:]
        var plans: [PlanKind: [String: String]] = [:]
        var hasFiles: @Sendable (_ id: String) -> Bool = { _ in false }
    }

    private final class Disk: Sendable { let state = Mutex(State()) }

    /// The hub is killed at one of the next writes of a job, just before it or just after.
    private struct Ending {
        var writesLeft: Int
        let isLastKept: Bool
        let die: @Sendable () -> Void
    }

    private let disk: Disk
    private let death = Mutex(false)
    private let ending = Mutex(Ending?.none)

    package init() { disk = Disk() }
    private init(_ disk: Disk) { self.disk = disk }

    /// The same jobs for the next life of a hub. What this one would still write is lost.
    package func reborn() -> MemoryJobs {
        die()
        return MemoryJobs(disk)
    }

    /// What is on the disk at this moment. A hub that was killed goes on with the one before as long as its tasks run.
    package func copy() -> MemoryJobs {
        let copy = Disk()
        let now = disk.state.withLock { $0 }
        copy.state.withLock { $0 = now }
        return MemoryJobs(copy)
    }

    /// `die` is called by the write at which the hub is killed. From then on nothing is stored for it.
    package func dieAt(write: Int, isKept: Bool, _ die: @escaping @Sendable () -> Void) {
        ending.withLock { $0 = Ending(writesLeft: write, isLastKept: isKept, die: die) }
    }
    package func liveOn() { ending.withLock { $0 = nil } }

    package func die() { death.withLock { $0 = true } }
    package var isDead: Bool { death.withLock { $0 } }
    /// The jobs that presses have made, by device and key.
    package var keys: [String: String] { disk.state.withLock { $0.made.mapValues(\.1) } }

    /// Whose files are there, beside those of finished jobs.
    package func has(files: @escaping @Sendable (_ id: String) -> Bool) { disk.state.withLock { $0.hasFiles = files } }

    package func fail(_ fault: SourceFault?) { disk.state.withLock { $0.fault = fault } }
    package func lose(after writes: Int?) { disk.state.withLock { $0.writesLeft = writes } }
    package var removed: [String] { disk.state.withLock { $0.removed } }

    package func jobs() throws(SourceFault) -> [GenerationJob] { disk.state.withLock { $0.jobs } }

    package func job(_ id: String) throws(SourceFault) -> GenerationJob? { disk.state.withLock { $0.jobs.first { $0.id == id } } }

    package func pieces(_ words: [String], from: Int, limit: Int) throws(SourceFault) -> [GenerationJob] {
        disk.state.withLock { Array($0.jobs.filter { $0.state == .ready }.reversed().dropFirst(from).prefix(limit)) }
    }

    package func job(madeBy once: CommandKey) throws(SourceFault) -> (job: GenerationJob, hash: [UInt8])? {
        disk.state.withLock { state in
            guard let (key, id) = state.made["\(once.device) \(once.key)"], let job = state.jobs.first(where: { $0.id == id }) else {
                return nil
            }
            return (job, key.hash)
        }
    }

    package func put(_ job: GenerationJob, once: CommandKey?) throws(SourceFault) {
        if isDead { throw .cancelled }
        let last = ending.withLock { ending in
            guard let left = ending?.writesLeft else { return Ending?.none }
            ending?.writesLeft = left - 1
            return left <= 0 ? ending : nil
        }
        if let last {
            if last.isLastKept { try store(job, once) }
            die()
            last.die()
            throw .cancelled
        }
        try store(job, once)
    }

    private func store(_ job: GenerationJob, _ once: CommandKey?) throws(SourceFault) {
        let fault = disk.state.withLock { state in
            if let fault = state.fault { return fault as SourceFault? }
            if let left = state.writesLeft {
                guard left > 0 else { return nil }
                state.writesLeft = left - 1
            }
            if let at = state.jobs.firstIndex(where: { $0.id == job.id }) { state.jobs[at] = job } else { state.jobs.append(job) }
            if let once { state.made["\(once.device) \(once.key)"] = (once, job.id) }
            return nil
        }
        if let fault { throw fault }
    }

    package func prompts(of owner: String) throws(SourceFault) -> PersonPrompts {
        disk.state.withLock { $0.prompts[owner] ?? PersonPrompts(presets: []) }
    }
    package func rows(of owner: String) throws(SourceFault) -> [PersonRow] {
        try prompts(of: owner).history.map { PersonRow("prompt").adding("text", $0.text) }
    }
    package func give(_ owner: String, to other: String) throws(SourceFault) {
        disk.state.withLock { state in
            let given = state.prompts.removeValue(forKey: owner)
            if state.prompts[other] == nil { state.prompts[other] = given }
        }
    }
    package func forget(owner: String) throws(SourceFault) { disk.state.withLock { $0.prompts[owner] = nil } }
    package func settings(of owner: String) throws(SourceFault) -> PromptSettings { try prompts(of: owner).settings }
    package func put(_ settings: PromptSettings, of owner: String) throws(SourceFault) { change(owner) { $0.settings = settings } }
    package func note(_ prompt: UsedPrompt, of owner: String) throws(SourceFault) {
        change(owner) { $0.history = [prompt] + $0.history.filter { $0.text != prompt.text } }
    }
    package func forget(_ text: String?, of owner: String) throws(SourceFault) -> Bool {
        change(owner) { $0.history.removeAll { text == nil || $0.text == text } }
    }
    package func put(_ preset: PromptPreset, of owner: String) throws(SourceFault) -> Bool {
        change(owner) { $0.presets = $0.presets.filter { $0.name != preset.name } + [preset] }
    }
    package func removePreset(_ name: String, of owner: String) throws(SourceFault) -> Bool {
        change(owner) { $0.presets.removeAll { $0.name == name } }
    }

    /// Whether it changed anything.
    @discardableResult
    private func change(_ owner: String, _ body: (inout PersonPrompts) -> Void) -> Bool {
        if isDead { return false }
        return disk.state.withLock { state in
            let before = state.prompts[owner] ?? PersonPrompts(presets: [])
            var after = before
            body(&after)
            state.prompts[owner] = after
            return after != before
        }
    }

    package func plans(_ kind: PlanKind) throws(SourceFault) -> [String: String] { disk.state.withLock { $0.plans[kind] ?? [:] } }

    package func put(_ plan: String?, _ kind: PlanKind, named name: String) throws(SourceFault) {
        if isDead { throw .cancelled }
        let fault = disk.state.withLock { state in
            if state.fault == nil { state.plans[kind, default: [:]][name] = plan }
            return state.fault
        }
        if let fault { throw fault }
    }

    package func folder(of id: String, isFresh: Bool) throws(SourceFault) -> String { "/jobs/\(id)" }
    package func removeFiles(of id: String) { disk.state.withLock { $0.removed.append(id) } }
    package func removeUnfinished(of id: String) {}
    package func sounds() throws(SourceFault) -> [StoredSound] { [] }
    package func removeSound(of id: String) throws(SourceFault) {}
    package func removeSpareSound(of id: String) throws(SourceFault) {}
    package func file(_ name: String, of id: String) throws(SourceFault) -> NamedFile {
        guard try job(id)?.piece != nil || disk.state.withLock({ $0.hasFiles })(id) else { throw SourceFault(.gone, "There is no file.") }
        return NamedFile("/jobs/\(id)/\(name)", MemoryFile())
    }
}
