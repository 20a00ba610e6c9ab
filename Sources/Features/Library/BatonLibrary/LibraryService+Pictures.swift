import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Pictures in the sizes that screens ask for.
extension LibraryService {
    /// Limit on waiting pictures. Each takes a core for a while, so more would only delay all of them.
    private static let mostInLine = 16

    func picture(
        _ id: String, width: Int?, height: Int?, format: Picture.Format?, mostBytes: Int?
    ) async throws(SourceFault) -> Picture {
        await settling.wait()
        guard let pictures, let artwork = ArtworkID(text: id) else { throw SourceFault(.notFound, "There is no picture “\(id)”.") }
        guard picturesInLine < Self.mostInLine else {
            throw SourceFault(.unavailable, "Too many pictures are being made just now. Ask again in a moment.")
        }
        picturesInLine += 1
        defer { picturesInLine -= 1 }
        let source = try await sources.picture(artwork)
        return try await sources.limited(Sources.Limit.item) { () async throws(SourceFault) in
            try pictures.picture(id, from: source, width: width, height: height, format: format, mostBytes: mostBytes)
        }
    }
}
