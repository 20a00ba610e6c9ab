import BatonCore
import BatonSeams
import Harness

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
