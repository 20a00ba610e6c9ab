package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Lists from one or several sources, page by page.
extension Sources {
    /// Rows of a container. Without one, rows of all sources, where one that does not answer in time is listed as missed.
    package func browse(_ node: ItemURI?, sort: ItemSort?, _ page: PageRequest, pageBytes: Int? = nil) async throws(SourceFault) -> ItemList
    {
        await settling.wait()
        guard let node else {
            let able = connectors.filter { $0.about.abilities.contains(.browse) }
            // One server of several is waited for as long as in a search, and then listed as missed.
            return try await list(of: able, page, of: pageBytes) { [searchDeadline] connector in
                isRemote(connector) ? searchDeadline : Limit.list
            } asking: { connector, window throws(SourceFault) in
                try await connector.browse(BrowseQuery(sort: sort, window: window))
            }
        }
        let connector = try await connector(for: node)
        let isFirst = page.cursor == nil && page.from == 0
        // With a mirror its rows are shown after this limit; without one the only source is waited for.
        let limit = isRemote(connector) && mirrors[connector.source] != nil ? searchDeadline : Limit.list
        // Both questions run in parallel, since each may wait for a disk.
        let row =
            isFirst
            ? try begin(connector, within: limit) { connector throws(SourceFault) in try await connector.details(of: node) } : nil
        // The container's own row is on the first page, too.
        let rowsBytes = row == nil ? pageBytes : pageBytes.map { $0 / 2 }
        var list = try await list(of: [connector], page, of: rowsBytes) { _ in
            limit
        } asking: { connector, window throws(SourceFault) in
            try await connector.browse(BrowseQuery(node: node, sort: sort, window: window))
        }
        if let row, let details = try? await answer(to: row) { list.node = details.row }
        return list
    }

    /// Asks all of them at once, and divides the page among those that answer in time. A source that fails while another
    /// answers is left out and listed as missed.
    func list(
        of connectors: [any Connector], _ page: PageRequest, of bytes: Int?, within limit: (any Connector) -> Duration,
        asking ask: @escaping @Sendable (any Connector, PageWindow) async throws(SourceFault) -> ItemPage
    ) async throws(SourceFault) -> ItemList {
        var asked: [Asked] = []
        var fault: SourceFault?
        var missed: [String] = []
        for (connector, position) in try positions(of: connectors, page) {
            let window = position.window(page.limit)
            do throws(SourceFault) {
                let question = try begin(connector, within: limit(connector)) { connector throws(SourceFault) in
                    try await ask(connector, window)
                }
                asked.append(Asked(source: question, position: position))
            } catch {
                fault = fault ?? error
                missed.append(connector.source)
            }
        }
        var parts: [PageShares.Part] = []
        for one in asked {
            let connector = one.source.connector
            do throws(SourceFault) {
                let answer = try await answer(to: one.source)
                guard answer.rows.count <= PageCursor.Position.mostRows else { throw tooMuch(connector, "rows for one page") }
                if isRemote(connector) { noteShown(answer.rows) }
                parts.append(PageShares.Part(source: connector.source, position: one.position, page: answer))
            } catch {
                fault = fault ?? error
                missed.append(connector.source)
            }
        }
        if parts.isEmpty, let fault { throw fault }
        // The rows are cut before marks are added.
        var list = PageShares(parts).page(limit: page.limit) { max(1, fittingRows($0, min(bytes ?? .max, pageBytes))) }
        list.missed = missed
        if parts.count == 1 { list.version = parts[0].page.version }
        return list
    }

    private struct Asked {
        let source: AskedSource<ItemPage>
        let position: PageCursor.Position
    }

    /// The place at which each source begins. A place by number belongs to the first source, since two lists have no common
    /// count.
    func positions(
        of connectors: [any Connector], _ page: PageRequest
    ) throws(SourceFault) -> [(any Connector, PageCursor.Position)] {
        guard let text = page.cursor else {
            return connectors.prefix(page.from > 0 ? 1 : connectors.count).map { ($0, .from(page.from)) }
        }
        guard let cursor = PageCursor(text) else { throw SourceFault(.badRequest, "This cursor is not one that this hub gave.") }
        return cursor.positions.compactMap { source, position in connectors.first { $0.source == source }.map { ($0, position) } }
    }
}

extension PageCursor.Position {
    /// Limit on the rows of a page.
    static let mostRows = 100

    func window(_ limit: Int) -> PageWindow {
        switch self {
        case .from(let count): PageWindow(from: count, limit: limit)
        case .page(let word, let skipped): PageWindow(limit: min(Self.mostRows, limit + skipped), cursor: word)
        case .ranked(let size, _, .row(let row)): PageWindow(from: row, limit: size)
        case .ranked(let size, _, .word(let word)): PageWindow(limit: size, cursor: word)
        case .waiting: PageWindow(limit: limit)
        }
    }
}
