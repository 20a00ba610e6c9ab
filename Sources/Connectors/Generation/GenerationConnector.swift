/// Music that was made here from prompts, as a source: `gen:…`. A piece has its URI from the moment at which it was asked for; it can
/// be played when it is ready.
package import BatonCore
package import BatonSeams

package struct GenerationConnector: Connector {
    package var source: String { GenerationJob.scheme }
    package var about: SourceAbout {
        SourceAbout(
            name: "Generated", shelves: [.init(name: "generated", uri: Self.shelf)], abilities: [.browse, .search, .marks])
    }

    private static let shelf = ItemURI("\(GenerationJob.scheme):")
    private let keeper: any JobKeeper

    package init(_ keeper: any JobKeeper) { self.keeper = keeper }

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        guard uri != Self.shelf else {
            let pieces = try keeper.pieces([], from: 0, limit: 1_000)
            guard !pieces.isEmpty else { throw SourceFault(.notFound, "Nothing was made here yet.") }
            return pieces.map { NewEntry(uri: $0.uri, tags: $0.tags) }
        }
        let job = try job(uri)
        return [NewEntry(uri: job.uri, tags: job.tags)]
    }

    @concurrent
    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        let job = try job(uri)
        if let piece = job.piece { return Playable(.file(try keeper.file(piece.sound, of: job.id))) }
        switch job.state {
        case .failed: throw SourceFault(.failed, "“\(job.title)” could not be made. \(job.sentence ?? "")")
        case .cancelled: throw SourceFault(.gone, "“\(job.title)” was cancelled before it was made.")
        default: throw SourceFault(.unavailable, "“\(job.title)” is not finished yet.")
        }
    }

    @concurrent
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        guard let node = query.node, node != Self.shelf else { return try page([], query.window) }
        throw SourceFault(.notFound, "“\(node.text)” is no shelf.")
    }

    @concurrent
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        guard query.kinds.isEmpty || query.kinds.contains(.generation) else { return ItemPage() }
        return try page(query.text.split(separator: " ").map(String.init), query.window)
    }

    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        let job = try job(uri)
        var details = ItemDetails(row: Self.row(job))
        details.about = job.request.prompt
        details.addedAtMs = job.endedMs
        return details
    }

    private func page(_ words: [String], _ window: PageWindow) throws(SourceFault) -> ItemPage {
        let from = max(0, window.cursor.flatMap { Int($0) } ?? window.from)
        let pieces = try keeper.pieces(words, from: from, limit: window.limit)
        return ItemPage(pieces.map(Self.row), cursor: pieces.count < window.limit || pieces.isEmpty ? nil : String(from + pieces.count))
    }

    private static func row(_ job: GenerationJob) -> ItemRow { ItemRow(uri: job.uri, tags: job.tags, isAway: job.piece == nil) }

    private func job(_ uri: ItemURI) throws(SourceFault) -> GenerationJob {
        guard let id = GenerationJob.id(in: uri), let job = try keeper.job(id) else {
            throw SourceFault(.notFound, "“\(uri.text)” was not made here.")
        }
        return job
    }
}
