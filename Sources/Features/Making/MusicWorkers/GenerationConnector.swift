/// Music generated from prompts as a source: `gen:…`. A piece has its URI from the moment it is ordered; it can be
/// played once it is ready.
package import BatonCore
package import BatonSeams

package struct GenerationConnector: Connector {
    package var source: String { GenerationJob.scheme }
    package var about: SourceAbout {
        SourceAbout(
            name: "Generated", shelves: [.init(name: "generated", uri: Self.shelf)], abilities: [.browse, .search, .pictures, .marks])
    }

    private static let shelf = ItemURI("\(GenerationJob.scheme):")
    private let storage: any JobStorage
    private let cover: @Sendable (GenerationJob) -> [UInt8]
    private let remaking: Remaking

    /// `remake` generates a piece's sound again after it was removed to free space, and throws if that is impossible.
    package init(
        _ storage: any JobStorage, cover: @escaping @Sendable (GenerationJob) -> [UInt8],
        remake: @escaping @Sendable (GenerationJob) async throws(SourceFault) -> Void
    ) {
        self.storage = storage
        self.cover = cover
        remaking = Remaking(remake)
    }

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        guard uri != Self.shelf else {
            let pieces = try storage.pieces([], from: 0, limit: 1_000)
            guard !pieces.isEmpty else { throw SourceFault(.notFound, "Nothing was made here yet.") }
            return pieces.map { NewEntry(uri: $0.uri, tags: $0.shownTags) }
        }
        let job = try job(uri)
        if job.piece == nil, job.state.isOver { throw Self.unmade(job) }
        return [NewEntry(uri: job.uri, tags: job.shownTags)]
    }

    @concurrent
    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        if let (piece, name) = GenerationJob.file(in: uri) { return Playable(.file(try storage.file(name, of: try job(piece).id))) }
        let job = try job(uri)
        guard let piece = job.piece else { throw Self.unmade(job) }
        if let file = try? storage.file(piece.sound, of: job.id) { return Playable(.file(file)) }
        try await remaking.wait(for: job)
        return Playable(.file(try storage.file(piece.sound, of: job.id)))
    }

    private static func unmade(_ job: GenerationJob) -> SourceFault {
        switch job.state {
        case .failed: SourceFault(.failed, "“\(job.title)” could not be made. \(job.sentence ?? "")")
        case .cancelled: SourceFault(.gone, "“\(job.title)” was cancelled before it was made.")
        default: SourceFault(.unavailable, "“\(job.title)” is not finished yet.")
        }
    }

    /// A picture drawn from the piece alone, so that it is the same each time.
    @concurrent
    package func picture(_ name: String) async throws(SourceFault) -> PictureSource {
        guard let job = try storage.job(name), job.piece != nil else { throw SourceFault(.notFound, "There is no picture “\(name)”.") }
        return .bytes(cover(job))
    }

    @concurrent
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        guard let node = query.node else { return ItemPage(of: try shelf().map { [$0] } ?? [], in: query.window) }
        guard node == Self.shelf else { throw SourceFault(.notFound, "“\(node.text)” is no shelf.") }
        return try page([], query.window)
    }

    /// The only shelf; `nil` while it is empty.
    private func shelf() throws(SourceFault) -> ItemRow? {
        guard try !storage.pieces([], from: 0, limit: 1).isEmpty else { return nil }
        var tags = Tags(title: about.name)
        tags.kind = .shelf
        return ItemRow(uri: Self.shelf, tags: tags)
    }

    @concurrent
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        guard query.kinds.isEmpty || query.kinds.contains(.generation) else { return ItemPage() }
        return try page(query.text.split(separator: " ").map(String.init), query.window)
    }

    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        if uri == Self.shelf, let shelf = try shelf() { return ItemDetails(row: shelf) }
        let job = try job(uri)
        var details = ItemDetails(row: Self.row(job))
        details.about = job.request.prompt.isEmpty ? nil : job.request.prompt
        details.recipe = job.piece?.recipe
        details.addedAtMs = job.endedMs
        if job.piece != nil { details.files = GenerationJob.files.filter { (try? storage.file($0, of: job.id)) != nil } }
        return details
    }

    private func page(_ words: [String], _ window: PageWindow) throws(SourceFault) -> ItemPage {
        let from = window.offset
        let pieces = try storage.pieces(words, from: from, limit: window.limit)
        return ItemPage(pieces.map(Self.row), cursor: pieces.count < window.limit || pieces.isEmpty ? nil : String(from + pieces.count))
    }

    private static func row(_ job: GenerationJob) -> ItemRow { ItemRow(uri: job.uri, tags: job.shownTags, isAway: job.piece == nil) }

    private func job(_ uri: ItemURI) throws(SourceFault) -> GenerationJob {
        guard let id = GenerationJob.id(in: uri), let job = try storage.job(id) else {
            throw SourceFault(.notFound, "“\(uri.text)” was not made here.")
        }
        return job
    }
}
