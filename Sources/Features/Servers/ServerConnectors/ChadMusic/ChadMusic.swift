/// A Chad Music server as a source: categories, their values, albums and tracks; its files; scans and uploads.
///
/// Every call asks the server, apart from answers that `ChadMemory` keeps for a minute. Nothing runs on the loop.
import BatonCore
import BatonJSON
package import BatonSeams

package struct ChadMusic: Connector {
    package let source: String
    let server: ChadServer
    let memory: ChadMemory

    /// The capacity of a queue.
    static let most = 10_000
    /// Limit of parallel requests for one call of the hub.
    static let atOnce = 6

    package init(_ account: SourceAccount, secrets: SourceSecrets, parts: SourceParts) throws(SourceFault) {
        source = account.name
        server = try ChadServer(account, secrets: secrets, http: parts.http)
        memory = ChadMemory(parts.clock)
    }

    package var about: SourceAbout {
        SourceAbout(
            name: server.title,
            shelves: ChadCategory.allCases.map { .init(name: $0.rawValue, uri: uri(.shelf($0))) },
            abilities: [.browse, .search, .mirrorSearch, .pictures, .mirror, .download, .rescan, .upload, .remote])
    }

    package func check() async throws(SourceFault) {
        guard try await server.ask("/api/stats").object != nil else {
            throw SourceFault(.failed, "“\(server.title)” answers, but not as a Chad Music server does.")
        }
    }

    package func rescan() async throws(SourceFault) {
        var limits = HTTPCallLimits()
        limits.head = .seconds(60)
        let reply = try await server.answer(to: server.order(.post, "/api/rescan", limits: limits))
        guard (200..<300).contains(reply.status) else { throw server.fault(reply) }
    }

    func uri(_ item: ChadItem) -> ItemURI { item.uri(in: source) }

    func item(_ uri: ItemURI) throws(SourceFault) -> ChadItem {
        guard let item = ChadItem(uri, of: source) else {
            throw SourceFault(.notFound, "“\(server.title)” has nothing called \(uri.text).")
        }
        return item
    }

    // MARK: Lists

    func categories() async throws(SourceFault) -> [ChadCategory] {
        if let known = await memory.shelves() { return known }
        let found = ChadList.categories(in: try await server.ask("/api/cat"))
        let shelves = found.isEmpty ? ChadCategory.allCases : found
        await memory.store(shelves)
        return shelves
    }

    /// Rows of a category from a position. A server without paging sends all rows, from which the page is cut.
    func rows(
        _ category: ChadCategory, from: Int, limit: Int, filter: String? = nil, of value: (ChadCategory, String)? = nil
    ) async throws(SourceFault) -> (rows: [JSON], total: Int?) {
        var query = [("offset", String(from)), ("limit", String(limit))]
        if let filter { query.append(("filter", filter)) }
        if let value { query.append((value.0.rawValue, value.1)) }
        guard let list = ChadList(try await server.ask("/api/cat/\(category.rawValue)", query)) else {
            throw SourceFault(.failed, "“\(server.title)” answers with something that is no list of \(category.title.lowercased()).")
        }
        guard list.rows.count > limit else { return (list.rows, list.total) }
        return (Array(list.rows.dropFirst(from).prefix(limit)), list.rows.count)
    }

    func albums(from: Int, limit: Int, filter: String? = nil) async throws(SourceFault) -> (albums: [ChadAlbum], read: Int, total: Int?) {
        let (rows, total) = try await rows(.album, from: from, limit: limit, filter: filter)
        let albums = rows.compactMap { ChadAlbum($0) }
        await memory.store(albums)
        return (albums, rows.count, total)
    }

    func tracks(of album: String) async throws(SourceFault) -> [ChadTrack] {
        if let known = await memory.tracks(of: album) { return known }
        let answer = try await server.ask("/api/album/\(PercentText.encoded(album))/tracks")
        guard let list = ChadList(answer) else {
            throw SourceFault(.failed, "“\(server.title)” answers with something that is no list of tracks.")
        }
        let tracks = list.rows.compactMap { ChadTrack($0) }
        await memory.store(tracks, of: album)
        return tracks
    }

    /// Sends several requests, a few in parallel, and returns the answers in order.
    static func each<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ ask: @escaping @Sendable (Input) async throws(SourceFault) -> Output
    ) async throws(SourceFault) -> [Output] {
        let answers = await withTaskGroup(of: (Int, Result<Output, SourceFault>).self) { group in
            var answers: [Int: Result<Output, SourceFault>] = [:]
            for (index, input) in inputs.enumerated() {
                if index >= atOnce, let (place, answer) = await group.next() {
                    answers[place] = answer
                    if case .failure = answer { break }
                }
                group.addTask {
                    do throws(SourceFault) { return (index, .success(try await ask(input))) } catch { return (index, .failure(error)) }
                }
            }
            for await (place, answer) in group { answers[place] = answer }
            return answers
        }
        for case .failure(let fault) in answers.values { throw fault }
        var outputs: [Output] = []
        for index in inputs.indices { if let answer = answers[index] { outputs.append(try answer.get()) } }
        return outputs
    }
}
