/// The two colours that stand for each picture, for screens too small for it.
import BatonSeams

enum PictureColours {
    private static let together = 8

    /// Computes the colours of every picture that has none yet; whether there was one. Not on the loop.
    @concurrent
    static func keep(_ parts: MusicLibrary.Parts) async -> Bool {
        var tried: Set<String> = []
        // What the catalogue cannot say or keep now is left for the next scan.
        while !Task.isCancelled, let some = try? parts.catalogue.uncoloured(most: together) {
            let fresh = some.filter { tried.insert($0).inserted }
            if fresh.isEmpty { break }
            var known: [String: [Int]] = [:]
            for id in fresh { known[id] = (try? parts.catalogue.picture(id)).flatMap { colours(of: $0, parts) } }
            try? parts.catalogue.keepColours(known)
        }
        return !tried.isEmpty
    }

    /// `nil` when that cannot be known now.
    private static func colours(of source: PictureSource, _ parts: MusicLibrary.Parts) -> [Int]? {
        do throws(SourceFault) {
            switch source {
            case .file(let path), .embedded(let path): _ = try parts.disk.realPath(path, below: try parts.catalogue.folders().map(\.path))
            case .bytes: break
            }
            return try parts.media.colours(of: source)
        } catch {
            // A picture that shows nothing has no colours, and is not asked again.
            return error.isLate || error.code == .unavailable ? nil : []
        }
    }
}
