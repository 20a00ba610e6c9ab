/// The queue that the server stores for an account, so that another player can continue it. The current song is
/// stored by its index where the server supports that, else by its id.
package import BatonCore
package import BatonSeams

/// Methods and names of one way to store a queue.
struct SavedQueues: Equatable, Sendable {
    var save: String
    var get: String
    var key: String

    static let classic = SavedQueues(save: "savePlayQueue", get: "getPlayQueue", key: "playQueue")
    static let byIndex = SavedQueues(save: "savePlayQueueByIndex", get: "getPlayQueueByIndex", key: "playQueueByIndex")
}

extension SubsonicConnector {
    private static let mostSaved = 1_000

    var queueMethods: SavedQueues { server.memory.has("indexBasedQueue") ? .byIndex : .classic }

    func save(_ items: [ItemURI], current: ItemURI?, atMs ms: Milliseconds) async throws(SourceFault) {
        // The server can store only its own songs.
        let own = items.compactMap { uri -> String? in
            guard case .track(let id)? = SubsonicItem(uri, of: source) else { return nil }
            return id
        }
        let all = own.prefix(Self.mostSaved)
        var parameters = Parameters("id", each: Array(all))
        var currentID: String?
        if let current, case .track(let id)? = SubsonicItem(current, of: source), all.contains(id) { currentID = id }
        try await server.probe()
        let way = queueMethods
        if !all.isEmpty {
            if way == .byIndex {
                parameters.add("currentIndex", String(currentID.flatMap { all.firstIndex(of: $0) } ?? 0))
            } else {
                parameters.add("current", currentID ?? all.first)
            }
            parameters.add("position", String(currentID == nil ? 0 : max(0, ms.count)))
        }
        _ = try await server.ask(way.save, parameters)
    }

    @concurrent
    package func savedQueue() async throws(SourceFault) -> SavedQueue? {
        try await server.probe()
        let way = queueMethods
        let answer = try await server.ask(way.get).record(way.key)
        let records = Array(answer.list("entry").prefix(Self.mostSaved))
        let list = await songRows(records)
        guard !list.isEmpty else { return nil }
        var current = answer.int("currentIndex")
        if way == .classic { current = answer.text("current").flatMap { id in records.firstIndex { $0.text("id") == id } } }
        return SavedQueue(
            entries: entries(list), current: current.flatMap { list.indices.contains($0) ? $0 : nil },
            positionMs: Milliseconds(min(max(answer.int("position") ?? 0, 0), 1 << 40)),
            savedAtMs: answer.text("changed").flatMap { ServerTime.ms($0) },
            savedBy: answer.text("changedBy").map(rows.cut))
    }

    @concurrent
    package func similar(to uri: ItemURI, count: Int) async throws(SourceFault) -> [NewEntry] {
        switch try item(uri) {
        case .track(let id), .similar(let id): entries(try await similarRows(id, count: count))
        case .artist(let id), .top(let id): entries(Array(try await top(id).prefix(count)))
        default: throw SourceFault(.unsupported, "The server “\(account.title)” knows what is like a song or an artist only.")
        }
    }
}
