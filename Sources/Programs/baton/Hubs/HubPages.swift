import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// A query whose result comes in pages of items.
protocol ItemQuestion: WireCommand where Answer == ItemList {
    var page: PageRequest { get set }
}

extension Commands.Search: ItemQuestion {}
extension Commands.Browse: ItemQuestion {}

/// Queries whose results come in pages, repeated until the result is complete.
extension ReconnectingHub {
    /// Sends a command, and repeats it after a pause if the hub limits the rate, which happens with consecutive pages.
    @discardableResult
    func sendWithRetries<Command: WireCommand>(_ command: Command) async throws -> Answered<Command.Answer> {
        let key = command.needsKey ? Keys.random() : nil
        while true {
            do { return try await send(command, key: key) } catch let error as WireError where error.known == .rateLimited {
                try await Task.sleep(for: .milliseconds(error.afterMs ?? 200))
            }
        }
    }

    /// The first `most` rows of a search or container, including those of slow servers, with the raw rows for
    /// programs. With a `size` all pages have that size, so that row numbers are the same each time.
    func items(
        _ question: some ItemQuestion, most: Int, pagesOf size: Int? = nil, each: (ItemList) -> Void = { _ in }
    ) async throws -> (list: ItemList, raw: [JSON]) {
        var question = question
        var raw: [JSON] = []
        var whole: ItemList?
        var isWaiting = false
        repeat {
            question.page.limit = size ?? max(1, min(100, most - raw.count))
            let answered = try await sendWithRetries(question)
            let page = try answered.whole()
            raw += answered.raw?["rows"]?.array ?? []
            whole = whole?.followed(by: page) ?? page
            each(page)
            question.page.cursor = page.cursor
            isWaiting = !page.asked.isEmpty
            if page.rows.isEmpty, page.joined.isEmpty, !isWaiting { break }
        } while question.page.cursor != nil && (raw.count < most || isWaiting)
        let list = whole ?? ItemList([])
        return (list, list.placing(in: raw))
    }

    func playlists() async throws -> (rows: [PlaylistRow], raw: [JSON]) {
        var rows: [PlaylistRow] = []
        var raw: [JSON] = []
        while true {
            let answered = try await sendWithRetries(Commands.Playlists(from: rows.count))
            let page = try answered.whole()
            rows += page.rows
            raw += answered.raw?["rows"]?.array ?? []
            if page.rows.count < 100 { return (rows, raw) }
        }
    }

    /// A whole playlist. If it is edited meanwhile, reading starts over.
    func contents(of id: PlaylistID, link: String? = nil) async throws -> (list: PlaylistRow, rows: [PlaylistEntry], raw: [JSON]) {
        var rows: [PlaylistEntry] = []
        var raw: [JSON] = []
        var revision: Int?
        while true {
            let answered = try await sendWithRetries(Commands.Playlist(id, from: rows.count, link: link))
            let page = try answered.whole()
            if let revision, revision != page.list.revision, !rows.isEmpty {
                rows = []
                raw = []
            } else {
                rows += page.rows
                raw += answered.raw?["rows"]?.array ?? []
            }
            revision = page.list.revision
            if rows.count >= page.list.count || page.rows.isEmpty { return (page.list, rows, raw) }
        }
    }

    /// All paired devices, with the raw result for programs.
    func devices() async throws -> (list: DeviceList, raw: JSON) {
        var rows: [DeviceList.Row] = []
        var raw: [JSON] = []
        while true {
            let answered = try await sendWithRetries(Commands.Devices(from: rows.count))
            var page = try answered.whole()
            rows += page.rows
            raw += answered.raw?["list"]?.array ?? []
            guard page.more == 0 || page.rows.isEmpty else { continue }
            page.rows = rows
            var whole = answered.raw?.object ?? JSONObject()
            whole["list"] = .array(raw)
            whole["more"] = nil
            return (page, .object(whole))
        }
    }
}

extension ItemList {
    /// Both pages as one, with the cursor of the later one.
    fileprivate func followed(by page: ItemList) -> ItemList {
        var whole = self
        whole.rows += page.rows
        for row in page.joined {
            guard let at = whole.rows.firstIndex(where: { $0.uri == row.uri }) else { continue }
            whole.rows[at].variants = row.places
        }
        whole.joined += page.joined
        whole.asked = page.asked
        whole.missed += page.missed.filter { !whole.missed.contains($0) }
        whole.node = node ?? page.node
        whole.total = page.total ?? total
        whole.cursor = page.cursor
        return whole
    }

    /// The raw rows, with places from later pages added.
    fileprivate func placing(in raw: [JSON]) -> [JSON] {
        guard !joined.isEmpty, raw.count == rows.count else { return raw }
        return zip(raw, rows).map { json, row in
            guard row.variants.count > 1, var object = json.object else { return json }
            object["places"] = .array(row.variants.map { .string($0.text) })
            return .object(object)
        }
    }
}
