/// Mixes loops into one loop.
package import BatonCore

package protocol LoopMixing: Sendable {
    /// Mixes the loops into the folder, atomically replacing an earlier mix. Returns the length of the mix.
    func mix(_ order: LoopOrder) async throws(SourceFault) -> Milliseconds
}

/// The loops to mix, and where to.
package struct LoopOrder: Equatable, Sendable {
    /// The sound files of the loops.
    package var files: [String]
    /// The plan from which they were made.
    package var recipe: String
    /// The title in the tags of the mix.
    package var title: String
    package var folder: String

    package init(files: [String], recipe: String, title: String, folder: String) {
        self.files = files
        self.recipe = recipe
        self.title = title
        self.folder = folder
    }

    /// The file name of the mix in the folder.
    package static let sound = "sound.flac"
}
