/// Mixes loops that sound together into one that repeats.
package protocol LoopMixing: Sendable {
    /// Returns how long the loop is that then stands in the folder, and has taken the place of an earlier one at once.
    func mix(_ order: LoopOrder) async throws(SourceFault) -> Int
}

package struct LoopOrder: Equatable, Sendable {
    /// The sounds of the loops.
    package var files: [String]
    /// The plan on which they were made.
    package var recipe: String
    package var title: String
    package var folder: String

    package init(files: [String], recipe: String, title: String, folder: String) {
        self.files = files
        self.recipe = recipe
        self.title = title
        self.folder = folder
    }

    /// The name of the loop in the folder.
    package static let sound = "sound.flac"
}
