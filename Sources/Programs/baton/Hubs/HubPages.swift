import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// A question whose answer comes as pages of items.
protocol ItemQuestion: WireCommand where Answer == ItemList {
    var page: PageRequest { get set }
}

extension Commands.Search: ItemQuestion {}
extension Commands.Browse: ItemQuestion {}

/// Questions whose answers come in pages, asked until the answer is complete.
extension SteadyHub {
    /// Sends a command, and waits and sends it again when the hub says that there are too many at once, as happens when one
    /// page is asked for after another.
    @discardableResult
    func patiently<Command: WireCommand>(_ command: Command) async throws -> Answered<Command.Answer> {
        let key = command.needsKey ? Keys.random() : nil
        while true {
            do { return try await send(command, key: key) } catch let error as WireError where error.known == .rateLimited {
                try await Task.sleep(for: .milliseconds(error.afterMs ?? 200))
            }
        }
    }

    /// The first `most` rows of a search or a container, and those that servers are still asked for; with the answers' own rows
    /// for programs. With a `size` all pages are of that size, so that a row has the same number each time.
    func items(
        _ question: some ItemQuestion, most: Int, pagesOf size: Int? = nil, each: (ItemList) -> Void = { _ in }
    ) async throws -> (list: ItemList, raw: [JSON]) {
        var question = question
        var raw: [JSON] = []
        var whole: ItemList?
        var isWaiting = false
        repeat {
            question.page.limit = size ?? max(1, min(100, most - raw.count))
            let answered = try await patiently(question)
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
            let answered = try await patiently(Commands.Playlists(from: rows.count))
            let page = try answered.whole()
            rows += page.rows
            raw += answered.raw?["rows"]?.array ?? []
            if page.rows.count < 100 { return (rows, raw) }
        }
    }

    /// A whole playlist. One that is edited meanwhile is read again from its beginning.
    func contents(of id: PlaylistID, link: String? = nil) async throws -> (list: PlaylistRow, rows: [PlaylistEntry], raw: [JSON]) {
        var rows: [PlaylistEntry] = []
        var raw: [JSON] = []
        var revision: Int?
        while true {
            let answered = try await patiently(Commands.Playlist(id, from: rows.count, link: link))
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

    /// All paired devices, and the same as the hub has written them.
    func devices() async throws -> (list: DeviceList, raw: JSON) {
        var rows: [DeviceList.Row] = []
        var raw: [JSON] = []
        while true {
            let answered = try await patiently(Commands.Devices(from: rows.count))
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
    /// Both pages as one; the cursor is that of the later one.
    fileprivate func followed(by page: ItemList) -> ItemList {
        var whole = self
        whole.rows += page.rows
        for row in page.joined {
            guard let at = whole.rows.firstIndex(where: { $0.uri == row.uri }) else { continue }
            whole.rows[at].places = row.places
        }
        whole.joined += page.joined
        whole.asked = page.asked
        whole.missed += page.missed.filter { !whole.missed.contains($0) }
        whole.node = node ?? page.node
        whole.total = page.total ?? total
        whole.cursor = page.cursor
        return whole
    }

    /// The answers' own rows, with the places that later pages told.
    fileprivate func placing(in raw: [JSON]) -> [JSON] {
        guard !joined.isEmpty, raw.count == rows.count else { return raw }
        return zip(raw, rows).map { json, row in
            guard row.places.count > 1, var object = json.object else { return json }
            object["places"] = .array(row.places.map { .string($0.text) })
            return .object(object)
        }
    }
}
