import BatonCore
import BatonSeams

/// News of jobs, for the parts that act on them.
enum MakingNews {
    /// The stored jobs are known.
    case opened
    /// The hub may work, and jobs start now.
    case goesOn
    /// The list of jobs shows something else.
    case changed
    /// A job took a step, which may not be stored yet.
    case stepped(GenerationJob)
    /// A job waits for its turn at the worker.
    case waits(GenerationJob)
    /// A piece is finished, and stored.
    case made(GenerationJob)
    /// A piece was not made for this reason; without one it is made again.
    case unmade(GenerationJob, String?)
    /// The sound of a piece may be removed to free space.
    case released
}

/// A part that acts on the steps of jobs.
@Loop
protocol MakingObserver: AnyObject {
    func hear(_ news: MakingNews)
    /// The session for the worker of the job.
    func session(of job: GenerationJob) -> WorkerSession?
    /// Stores the worker's report on the session of a job. It is on disk when this returns.
    func agree(on session: WorkerSession, of id: String) async throws(SourceFault)
}

extension MakingObserver {
    func session(of job: GenerationJob) -> WorkerSession? { nil }
    func agree(on session: WorkerSession, of id: String) async throws(SourceFault) {}
}

/// The parts that act on the steps of jobs, in the order in which they hear. They hold the jobs, so they are not held here.
@Loop
struct MakingObservers {
    private struct Entry { weak var observer: (any MakingObserver)? }

    private var entries: [Entry] = []

    mutating func add(_ observer: any MakingObserver) { entries.append(Entry(observer: observer)) }

    func tell(_ news: MakingNews) { for entry in entries { entry.observer?.hear(news) } }

    func session(of job: GenerationJob) -> WorkerSession? { entries.lazy.compactMap { $0.observer?.session(of: job) }.first }

    func agree(on session: WorkerSession, of id: String) async throws(SourceFault) {
        for entry in entries { try await entry.observer?.agree(on: session, of: id) }
    }
}
