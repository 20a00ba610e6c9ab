import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Questions whose answers come in pages, asked until all is known.
extension SteadyHub {
    /// A command that waits when the hub says that there are too many at once, as it does to whoever
    /// asks for page after page.
    @discardableResult
    func patiently(_ method: String, _ params: JSONObject = JSONObject(), key: String? = nil) async throws -> ReceivedReply {
        while true {
            do { return try await command(method, params, key: key) } catch let error as WireError where error.known == .rateLimited {
                try await Task.sleep(for: .milliseconds(error.afterMs ?? 200))
            }
        }
    }

    /// What a search or a container has, as far as `most`; with the answers' own rows for programs.
    func items(_ method: String, _ params: JSONObject, most: Int) async throws -> (list: ItemList, raw: [JSON]) {
        var params = params
        var raw: [JSON] = []
        var whole = ItemList([])
        repeat {
            params["limit"] = .int(Int64(max(1, min(100, most - raw.count))))
            let found = try await patiently(method, params).data ?? .null
            let page = try ItemList(from: found)
            raw += found["rows"]?.array ?? []
            whole.rows += page.rows
            whole.node = whole.node ?? page.node
            whole.total = page.total ?? whole.total
            whole.cursor = page.cursor
            params["cursor"] = page.cursor.map { .string($0) }
            if page.rows.isEmpty { break }
        } while whole.cursor != nil && raw.count < most
        return (whole, raw)
    }

    func playlists() async throws -> (rows: [PlaylistRow], raw: [JSON]) {
        var rows: [PlaylistRow] = []
        var raw: [JSON] = []
        while true {
            let found = try await patiently("pl.list", ["from": .int(Int64(rows.count)), "limit": 100]).data ?? .null
            let page = try PlaylistList(from: found)
            rows += page.rows
            raw += found["rows"]?.array ?? []
            if page.rows.count < 100 { return (rows, raw) }
        }
    }

    /// A whole playlist. One that is edited meanwhile is read again from its beginning.
    func contents(of id: PlaylistID) async throws -> (list: PlaylistRow, rows: [PlaylistEntry], raw: [JSON]) {
        var rows: [PlaylistEntry] = []
        var raw: [JSON] = []
        var revision: Int?
        while true {
            let found = try await patiently("pl.get", ["id": .string(id.text), "from": .int(Int64(rows.count))]).data ?? .null
            let page = try PlaylistContents(from: found)
            if let revision, revision != page.list.revision, !rows.isEmpty {
                rows = []
                raw = []
            } else {
                rows += page.rows
                raw += found["rows"]?.array ?? []
            }
            revision = page.list.revision
            if rows.count >= page.list.count || page.rows.isEmpty { return (page.list, rows, raw) }
        }
    }
}
