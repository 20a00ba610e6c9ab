package import BatonCore
import BatonProtocol

/// The store of jobs and their files. Every call may wait for the disk.
package protocol JobStorage: PromptStorage, PlanStorage {
    /// All stored jobs, in the order in which they were made.
    func jobs() throws(SourceFault) -> [GenerationJob]
    func job(_ id: String) throws(SourceFault) -> GenerationJob?
    /// The finished pieces whose title or prompt has all of these words, the newest first.
    func pieces(_ words: [String], from: Int, limit: Int) throws(SourceFault) -> [GenerationJob]
    /// The job that this command made.
    func job(madeBy once: CommandKey) throws(SourceFault) -> (job: GenerationJob, hash: [UInt8])?
    /// Stores a job. Returns when it would survive the end of the program. `once` is the command that made it.
    func put(_ job: GenerationJob, once: CommandKey?) throws(SourceFault)

    /// The job's folder, created if it is missing. `isFresh` empties it.
    func folder(of id: String, isFresh: Bool) throws(SourceFault) -> String
    /// Deletes the job's folder with everything in it.
    func removeFiles(of id: String)
    /// Removes the unfinished files of a program that was killed.
    func removeUnfinished(of id: String)
    /// The sounds of all finished pieces on disk. Their `isProtected` reflects only what the store knows.
    func sounds() throws(SourceFault) -> [StoredSound]
    /// Removes only the sound of a finished piece.
    func removeSound(of id: String) throws(SourceFault)
    /// Removes uncompressed sound beside the sound of a finished piece.
    func removeSpareSound(of id: String) throws(SourceFault)
    /// A file in the job's folder.
    func file(_ name: String, of id: String) throws(SourceFault) -> NamedFile
}

extension GenerationJob {
    /// The scheme of generated pieces.
    package static let scheme = "gen"

    /// The URI of its piece, in queues and lists.
    package var uri: ItemURI { ItemURI("\(Self.scheme):\(id)") }

    /// The id of a job in the URI of its piece.
    package static func id(in uri: ItemURI) -> String? {
        guard uri.source == scheme else { return nil }
        let id = String(uri.text.dropFirst(scheme.count + 1))
        return Token.isToken(id, length: 4...32) ? id : nil
    }

    /// The tags with the picture that the hub draws for a finished piece.
    package var shownTags: Tags {
        var tags = tags
        if piece != nil { tags.art = ArtworkID(source: Self.scheme, name: id).map { Artwork(id: $0.text, width: 256, height: 256) } }
        return tags
    }

    /// Names of additional files in a piece's folder.
    package static let files = ["score.mid", "metadata.json"]

    /// The piece and the file in the URI of an additional file, which is not an item for queues.
    package static func file(in uri: ItemURI) -> (piece: ItemURI, name: String)? {
        guard uri.source == scheme, let slash = uri.text.lastIndex(of: "/") else { return nil }
        let name = String(uri.text[uri.text.index(after: slash)...])
        return files.contains(name) ? (ItemURI(String(uri.text[..<slash])), name) : nil
    }
}
