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
            let answered = try await send(question)
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
        var list = GrowingList<PlaylistRow>()
        var raw: [JSON] = []
        while list.isCut {
            let known = list.rows.count
            let answered = try await send(Commands.Playlists(from: known))
            let page = try answered.whole()
            list.take(page.rows, more: page.rows.count < 100 ? 0 : 1)
            if list.rows.count > known { raw += answered.raw?["rows"]?.array ?? [] }
        }
        return (list.rows, raw)
    }

    /// A whole playlist. If it is edited meanwhile, reading starts over, a few times.
    func contents(of id: PlaylistID, link: String? = nil) async throws -> (list: PlaylistRow, rows: [PlaylistEntry], raw: [JSON]) {
        for _ in 0..<10 { if let whole = try await reading(id, link: link) { return whole } }
        throw Stop(.refused, "The playlist changes while it is read. Try again in a moment.")
    }

    /// A whole playlist; `nil` if it was edited meanwhile.
    private func reading(_ id: PlaylistID, link: String?) async throws -> (list: PlaylistRow, rows: [PlaylistEntry], raw: [JSON])? {
        var rows = GrowingList<PlaylistEntry>()
        var raw: [JSON] = []
        var first: PlaylistRow?
        while true {
            let known = rows.rows.count
            let answered = try await send(Commands.Playlist(id, from: known, link: link))
            let page = try answered.whole()
            let list = first ?? page.list
            guard list.revision == page.list.revision else { return nil }
            first = list
            rows.take(page.rows, more: list.count - known - page.rows.count)
            if rows.rows.count > known { raw += answered.raw?["rows"]?.array ?? [] }
            if !rows.isCut { return (list, rows.rows, raw) }
        }
    }

    /// All paired devices, with the raw result for programs.
    func devices() async throws -> (list: DeviceList, raw: JSON) {
        try await whole("list", \.rows, \.more) { Commands.Devices(from: $0) }
    }

    /// All that is kept on the hub's disk, with the raw result for programs.
    func kept() async throws -> (list: KeptList, raw: JSON) {
        try await whole("rows", \.rows, \.more) { Commands.KeepList(from: $0) }
    }

    /// All jobs, with the raw result for programs.
    func jobs() async throws -> (list: JobRows, raw: JSON) {
        try await whole("jobs", \.rows, \.more) { Commands.JobList(from: $0) }
    }

    /// A list with all of its rows, of which an answer may have only the first in `member`; `question` asks for those from a row on.
    private func whole<Question: WireCommand, Row: Equatable>(
        _ member: String, _ rows: WritableKeyPath<Question.Answer, [Row]>, _ more: KeyPath<Question.Answer, Int>,
        asking question: (_ from: Int) -> Question
    ) async throws -> (list: Question.Answer, raw: JSON) {
        var list = GrowingList<Row>()
        var raw: [JSON] = []
        while true {
            let known = list.rows.count
            let answered = try await send(question(known))
            var page = try answered.whole()
            list.take(page[keyPath: rows], more: page[keyPath: more])
            if list.rows.count > known { raw += answered.raw?[member]?.array ?? [] }
            guard !list.isCut else { continue }
            page[keyPath: rows] = list.rows
            var whole = answered.raw?.object ?? JSONObject()
            whole[member] = .array(raw)
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
