import BatonCore
import BatonSeams
import Harness
import Synchronization

@testable import BatonMaking

/// The items of the jobs, without their sound.
struct PieceShelf: Connector {
    let jobs: MemoryJobs
    var source: String { GenerationJob.scheme }

    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        throw SourceFault(.notFound, "There is no such piece.")
    }

    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        guard let id = GenerationJob.id(in: uri), let job = try jobs.job(id), job.piece != nil else {
            throw SourceFault(.unavailable, "It is not finished yet.")
        }
        return Playable(.url("http://127.0.0.1/\(id)"))
    }
}

/// The numbers of jobs: every id once, also over the lives of hubs, and one seed.
final class JobNumbers: MakingNumbers {
    private let last = Mutex(0)

    func newID() -> String {
        last.withLock { last in
            last += 1
            return "job-\(last)"
        }
    }

    func random() -> UInt64 { 7 }
}

/// The numbers of runs and sessions, from a seed.
struct RunNumbers: MakingNumbers {
    let generator: SharedGenerator

    func newID() -> String { "run\(generator.next() % 1_000_000)" }
    func random() -> UInt64 { generator.next() }
}
