import BatonCore
import BatonKernel
import BatonSeams

/// Updates the mirror of a list that was edited at its server, so that the list is current when the server goes down.
///
/// The rows are read after the answer to the edit, and only if the source has a mirror.
@Loop
final class MirroredLists {
    private let sources: Sources
    private let passes: MirrorPasses
    private let log: Log
    private var mirror: (any SourceMirror)?
    private let work = BackgroundQueue()
    private var isClosed = false

    /// Limit on rows, which is the limit of a playlist.
    private static let mostRows = 10_000
    private static let pageRows = 500
    /// Limit on pages, since a server may send empty pages without end.
    private static let mostPages = 100

    init(sources: Sources, passes: MirrorPasses, log: Log) {
        self.sources = sources
        self.passes = passes
        self.log = log
    }

    func open(_ mirror: any SourceMirror) { self.mirror = mirror }

    func close() async {
        isClosed = true
        await work.finish()
    }

    /// Updates a list that was created, edited or deleted, and with it the shelf of playlists.
    func refresh(_ list: ItemURI, of connector: any Connector, isGone: Bool) {
        let source = connector.source
        guard !isClosed, let mirror, passes.status[source] != nil else { return }
        let shelf = connector.about.shelves.first { $0.name == "playlists" }?.uri
        work.add { [weak self] in
            do throws(SourceFault) {
                try await self?.note(list, isGone: isGone, at: connector, in: mirror)
                if let shelf { try await self?.note(shelf, isGone: false, at: connector, in: mirror) }
            } catch {
                self?.log(.debug, "An edited list was not noted for when “\(source)” is away: \(error.sentence)")
            }
        }
    }

    private func note(
        _ container: ItemURI, isGone: Bool, at connector: any Connector, in mirror: any SourceMirror
    ) async throws(SourceFault) {
        guard !isClosed else { return }
        var rows: [ItemRow]?
        if !isGone { rows = try await self.rows(of: container, connector) }
        let (noted, source) = (rows, connector.source)
        try await sources.inBlockingPool { () async throws(SourceFault) in
            try mirror.replace(container, with: noted, in: source)
        }
    }

    private func rows(of container: ItemURI, _ connector: any Connector) async throws(SourceFault) -> [ItemRow] {
        var rows: [ItemRow] = []
        var window = PageWindow(limit: Self.pageRows)
        var pages = 0
        repeat {
            let asked = window
            let page = try await sources.ask(connector, within: Sources.Limit.list) { connector throws(SourceFault) in
                try await connector.browse(BrowseQuery(node: container, window: asked))
            }
            rows += page.rows
            window.cursor = page.cursor
            pages += 1
        } while window.cursor != nil && rows.count < Self.mostRows && pages < Self.mostPages && !isClosed
        return rows
    }
}
