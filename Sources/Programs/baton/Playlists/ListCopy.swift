import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Copies tracks to a list at a server in parts, and collects those that the server lacks.
struct ListCopy {
    private let hub: ReconnectingHub
    /// The new list; `nil` until it exists.
    private(set) var list: ItemURI?
    private(set) var count = 0
    private(set) var missing: [PlaylistEdited.Missing] = []
    private(set) var missed = 0

    /// Limit of tracks in a part. The server is searched for each track of another source, so a small part returns
    /// within seconds.
    static let most = 20

    init(_ hub: ReconnectingHub, list: ItemURI?) {
        self.hub = hub
        self.list = list
    }

    mutating func create(_ name: String, _ uris: [ItemURI], at source: String) async throws {
        let hub = hub
        try await send(uris) { uris in
            try await hub.send(Commands.PlaylistCreate(name, uris: uris.isEmpty ? nil : uris, source: source)).whole()
        }
    }

    mutating func edit(_ uris: [ItemURI]) async throws {
        guard let list else { return }
        let hub = hub
        for start in stride(from: 0, to: uris.count, by: Self.most) {
            try await send(Array(uris[start..<min(uris.count, start + Self.most)])) { uris in
                try await hub.send(Commands.PlaylistEdit(list: list, ops: [.add(uris, at: .end)])).whole()
            }
        }
    }

    /// Sends a part. Tracks that the server lacks or that no longer exist are left out.
    private mutating func send(_ uris: [ItemURI], _ command: ([ItemURI]) async throws -> PlaylistEdited) async throws {
        var uris = uris
        while true {
            do {
                let edited = try await command(uris)
                guard edited.list != nil else { throw Stop(.connection, "The hub did not say which list it has edited.") }
                list = edited.list
                count += edited.count
                missing += edited.missing
                missed += edited.missed
                return
            } catch let error as WireError where error.known == .notFound && !uris.isEmpty {
                guard let at = error.at?.split(separator: "/").last.flatMap({ Int($0) }), uris.indices.contains(at) else {
                    note(uris)
                    return
                }
                note([uris.remove(at: at)])
                if uris.isEmpty { return }
            }
        }
    }

    private mutating func note(_ uris: [ItemURI]) {
        missing += uris.map { PlaylistEdited.Missing(uri: $0, title: $0.text, artists: []) }
        missed += uris.count
    }

    func print(_ verb: String, to target: String) {
        Output.line("\(verb) \(count) \(count == 1 ? "track" : "tracks") to \(target).")
        guard missed > 0 else { return }
        Output.line("\(missed) \(missed == 1 ? "is" : "are") not there:")
        for item in missing { Output.line("  " + (item.artists.prefix(1) + [item.title]).joined(separator: " – ")) }
        if missed > missing.count { Output.line("  and \(missed - missing.count) more") }
    }

    func printJSON() {
        let missing = missing.map { item -> JSON in
            ["uri": .string(item.uri.text), "title": .string(item.title), "artists": .array(item.artists.map { .string($0) })]
        }
        let named: JSON = list.map { .string($0.text) } ?? .null
        Output.json {
            $0.value(["list": named, "n": .int(Int64(count)), "missing": .array(missing), "missed": .int(Int64(missed))])
        }
    }
}
