/// Computes two colours for each picture, for screens that are too small to show it.
import BatonSeams

enum PictureColours {
    private static let together = 8

    /// Computes the missing colours of all pictures; returns whether there were any. Runs off the loop.
    @concurrent
    static func store(_ parts: MusicLibrary.Parts) async -> Bool {
        var tried: Set<String> = []
        // After an error of the catalogue, the next scan continues.
        while !Task.isCancelled, let some = try? parts.catalogue.withoutColours(most: together) {
            let fresh = some.filter { tried.insert($0).inserted }
            if fresh.isEmpty { break }
            var known: [String: [Int]] = [:]
            for id in fresh { known[id] = (try? parts.catalogue.picture(id)).flatMap { colours(of: $0, parts) } }
            try? parts.catalogue.storeColours(known)
        }
        return !tried.isEmpty
    }

    /// The colours of a picture; `nil` when they cannot be computed now.
    private static func colours(of source: PictureSource, _ parts: MusicLibrary.Parts) -> [Int]? {
        do throws(SourceFault) {
            switch source {
            case .file(let path), .embedded(let path): _ = try parts.disk.realPath(path, below: try parts.catalogue.folders().map(\.path))
            case .bytes: break
            }
            return try parts.media.colours(of: source)
        } catch {
            // An invalid picture has no colours and is not tried again.
            return error.isLate || error.code == .unavailable ? nil : []
        }
    }
}
