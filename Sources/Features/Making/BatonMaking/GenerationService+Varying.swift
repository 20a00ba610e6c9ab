import BatonCore
import BatonSeams

/// Variations of pieces that were made here.
extension GenerationService {
    /// The request for a variation of a piece. Only pieces of the composer have the recipe that it needs.
    func variation(of uri: ItemURI, by amount: Int) async throws(SourceFault) -> GenerationRequest {
        let parts = try opened()
        guard let id = GenerationJob.id(in: uri) else {
            throw SourceFault(.unsupported, "“\(uri.text)” was not made here, so there is no plan of which it is a piece.")
        }
        let job = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.job(id) }
        guard let job else { throw SourceFault(.notFound, "“\(uri.text)” was not made here.") }
        guard let recipe = job.piece?.recipe ?? BuiltInPieces.outcome(of: job.request) else {
            throw SourceFault(
                .unsupported,
                job.piece == nil
                    ? "“\(job.title)” is not finished yet, so it cannot be varied."
                    : "“\(job.title)” was made by “\(job.worker)”, and only pieces of the composer have a recipe.")
        }
        return try BuiltInPieces.varied(recipe, by: amount, seed: parts.random() >> 12, prompt: job.request.prompt)
    }
}
