import BatonCore
package import BatonProtocol
package import BatonSeams

/// A search over all sources.
///
/// The first page has the rows of the sources on this machine and does not wait for servers. It lists the servers, and its
/// cursor waits for their rows. Without searchable servers there is nothing to wait for, to rank or to join.
extension Sources {
    /// Searches all sources, or one. The first page does not wait for servers; their rows are on later pages, for the same `caller`.
    package func search(
        _ search: Commands.Search, pageBytes: Int? = nil, by caller: Int? = nil
    ) async throws(SourceFault) -> ItemList {
        await settling.wait()
        let able: [any Connector]
        if let source = search.source {
            able = [try await connector(named: source)]
        } else {
            able = connectors.filter { $0.about.abilities.contains(.search) }
        }
        guard able.contains(where: isRemote) else {
            let (text, kinds) = (search.text, search.kinds ?? [])
            return try await list(of: able, search.page, of: pageBytes) { _ in
                Limit.search
            } asking: { connector, window throws(SourceFault) in
                try await connector.search(SearchQuery(text, kinds: kinds, window: window, toleratesMistakes: true))
            }
        }
        let bytes = min(pageBytes ?? .max, self.pageBytes)
        var list: ItemList
        if search.page.cursor == nil, search.page.from == 0, search.source == nil {
            list = try await firstPage(of: search, at: able, bytes: bytes, caller: caller)
        } else {
            list = try await laterPage(of: search, at: able, bytes: bytes, caller: caller)
        }
        knownVariants.note(list)
        return list
    }

    func isRemote(_ connector: any Connector) -> Bool { remoteNames.contains(connector.source) }

    func origin(of row: ItemRow) -> FoldedRows.Origin {
        let source = name(of: row.uri)
        return FoldedRows.Origin(source, isLocal: !remoteNames.contains(source))
    }

    // MARK: The first page

    /// Head start for local sources, which usually answer within it. Asking the servers at the same moment would double their
    /// time on a small machine.
    private static let headStart = Duration.milliseconds(3)

    private func firstPage(
        of search: Commands.Search, at able: [any Connector], bytes: Int, caller: Int?
    ) async throws(SourceFault) -> ItemList {
        let (text, kinds, limit) = (search.text, search.kinds ?? [], search.page.limit)
        let near = able.filter { !isRemote($0) }
        var asked: [AskedSource<ItemPage>] = []
        var missed: [String] = []
        for connector in near {
            do throws(SourceFault) {
                asked.append(
                    try begin(connector, within: searchDeadline) { connector throws(SourceFault) in
                        try await connector.search(
                            SearchQuery(text, kinds: kinds, window: PageWindow(limit: limit), toleratesMistakes: true))
                    })
            } catch {
                missed.append(connector.source)
            }
        }
        let far = SearchRound(self, search, within: searchDeadline)
        let servers = able.filter(isRemote)
        var mustAsk = true
        let askFar: @Loop () -> Void = {
            guard mustAsk else { return }
            mustAsk = false
            far.ask(servers.map { ($0, .from(0)) })
        }
        let alarm = asked.isEmpty ? nil : reactor.after(Self.headStart, askFar)
        defer { alarm?.cancel() }

        var parts: [PageShares.Part] = []
        for one in asked {
            do throws(SourceFault) {
                let page = try await answer(to: one)
                guard page.rows.count <= PageCursor.Position.mostRows else { throw tooMuch(one.connector, "rows for one page") }
                parts.append(PageShares.Part(source: one.connector.source, position: .from(0), page: page))
            } catch {
                // The search text is wrong for every source.
                if error.code == .badRequest { throw error }
                missed.append(one.connector.source)
            }
        }
        askFar()
        let open = far.asked.isEmpty ? nil : searches.open(search, by: caller, splits)
        open?.collect(far.asked.map { one in (one.connector.source, { await far.answer(to: one) }) })
        var list = PageShares(parts).page(limit: limit) { max(1, fittingRows($0, bytes)) }
        list.total = nil
        list.missed = missed + far.missed
        guard let open else {
            if parts.isEmpty, let fault = far.fault { throw fault }
            return list
        }
        open.show(list.rows, origin)
        list.asked = far.asked.map(\.connector.source)
        let own = list.cursor.flatMap(PageCursor.init)?.positions ?? []
        list.cursor = PageCursor(own + list.asked.map { ($0, .waiting) }, search: open.number).text
        return list
    }

    // MARK: Later pages

    private func laterPage(
        of search: Commands.Search, at able: [any Connector], bytes: Int, caller: Int?
    ) async throws(SourceFault) -> ItemList {
        let positions = try positions(of: able, search.page)
        let open = searches.find(search.page.cursor.flatMap(PageCursor.init)?.search, search, by: caller)
        let waiting = positions.filter { $0.1 == .waiting }
        let others = positions.filter { $0.1 != .waiting }
        let only = positions.count == 1 && open == nil
        let round = SearchRound(self, search, within: only ? Limit.search : searchDeadline)
        var list = ItemList([])
        if !waiting.isEmpty {
            await open?.untilAnswered()
            let left = others.map { ($0.0.source, $0.1) }
            list = await page(of: waiting, round: round, open: open, bytes: bytes, leaving: left)
            if !list.rows.isEmpty || !list.joined.isEmpty || others.isEmpty { return list }
        }
        list = await page(of: others, round: round, open: open, bytes: bytes, leaving: [])
        if list.rows.isEmpty, only, let fault = round.fault { throw fault }
        return list
    }

    private func page(
        of positions: [(any Connector, PageCursor.Position)], round: SearchRound, open: OpenSearch?, bytes: Int,
        leaving left: [(source: String, position: PageCursor.Position)]
    ) async -> ItemList {
        let parts = await round.parts(of: positions, open)
        var merged = MergedPage(parts)
        let limit = round.search.page.limit
        if let open {
            open.fold { merged.fill(limit: limit, bytes: bytes, &$0) }
        } else {
            var folded = FoldedRows(splits: splits)
            merged.fill(limit: limit, bytes: bytes, &folded)
        }
        merged.cut(to: max(1, fittingRows(ItemList(merged.rows), merged.bytesLeft(bytes))))
        var list = ItemList(merged.rows)
        list.joined = merged.joined.map { .init(uri: $0.uri, places: ItemRow.shownVariants($0.places)) }.filter { $0.places.count > 1 }
        list.missed = round.missed
        if round.search.source != nil { list.total = parts.first?.found.page.total }
        let next = left + merged.nextPositions
        list.cursor = next.isEmpty ? nil : PageCursor(next, search: open?.number).text
        return list
    }
}

/// A set of sources that are asked for the same words at once.
@Loop
final class SearchRound {
    struct Asked {
        let source: AskedSource<FoundPage>
        let position: PageCursor.Position

        var connector: any Connector { source.connector }
    }

    let search: Commands.Search
    private let sources: Sources
    private let limit: Duration
    private let terms: SearchTerms
    private(set) var asked: [Asked] = []
    private(set) var missed: [String] = []
    private(set) var fault: SourceFault?

    init(_ sources: Sources, _ search: Commands.Search, within limit: Duration) {
        self.sources = sources
        self.search = search
        self.limit = limit
        terms = SearchTerms(search.text)
    }

    /// Starts the questions. Searching, ranking and folding run off the loop.
    func ask(_ positions: [(any Connector, PageCursor.Position)]) {
        let (text, kinds, terms, folds) = (search.text, search.kinds ?? [], terms, !search.isUnfolded)
        let ahead = max(3, SearchTerms.mostAhead / max(1, positions.count))
        for (connector, position) in positions {
            let isRemote = sources.isRemote(connector)
            let position = isRemote ? position.ranked(search.page.limit) : position
            let window = position.window(search.page.limit)
            do throws(SourceFault) {
                let question = try sources.begin(connector, within: limit) { connector throws(SourceFault) in
                    let page = try await connector.search(
                        SearchQuery(text, kinds: kinds, window: window, toleratesMistakes: true))
                    guard page.rows.count <= PageCursor.Position.mostRows else {
                        throw SourceFault(.tooLarge, "The source “\(connector.about.name)” answered with too many rows for one page.")
                    }
                    return FoundPage(page, for: terms, isRanked: isRemote, folds: folds, ahead: ahead)
                }
                asked.append(Asked(source: question, position: position))
            } catch {
                miss(connector, error)
            }
        }
    }

    func answer(to one: Asked) async -> Result<FoundPage, SourceFault> {
        do throws(SourceFault) { return .success(try await sources.answer(to: one.source)) } catch {
            return .failure(error)
        }
    }

    /// The pages of these sources: stored ones of an open search, or else new ones.
    func parts(of positions: [(any Connector, PageCursor.Position)], _ open: OpenSearch?) async -> [MergedPage.Part] {
        var parts: [MergedPage.Part] = []
        var rest: [(any Connector, PageCursor.Position)] = []
        for (connector, position) in positions {
            if position == .waiting, let open, let answer = open.answers[connector.source] {
                take(answer, of: connector, at: position.ranked(open.search.page.limit), into: &parts)
            } else {
                rest.append((connector, position))
            }
        }
        asked = []
        ask(rest)
        for one in asked { take(await answer(to: one), of: one.connector, at: one.position, into: &parts) }
        return parts
    }

    private func take(
        _ answer: Result<FoundPage, SourceFault>, of connector: any Connector, at position: PageCursor.Position,
        into parts: inout [MergedPage.Part]
    ) {
        switch answer {
        case .success(let found):
            let share = PageShares.Part(source: connector.source, position: position, page: found.page)
            let isRemote = sources.isRemote(connector)
            if isRemote { sources.noteShown(found.page.rows) }
            let origin = FoldedRows.Origin(connector.source, isLocal: !isRemote)
            parts.append(MergedPage.Part(share: share, found: found, origin: origin))
        case .failure(let fault): miss(connector, fault)
        }
    }

    private func miss(_ connector: any Connector, _ fault: SourceFault) {
        self.fault = self.fault ?? fault
        missed.append(connector.source)
    }
}

extension PageCursor.Position {
    /// The same place in a server's list, whose rows are sorted page by page.
    fileprivate func ranked(_ limit: Int) -> Self {
        switch self {
        case .from(let row): .ranked(size: limit, skipping: 0, .row(row))
        case .page(let word, let skipped): .ranked(size: min(Self.mostRows, limit + skipped), skipping: skipped, .word(word))
        case .waiting: .ranked(size: limit, skipping: 0, .row(0))
        case .ranked: self
        }
    }
}
