import BatonClient
import BatonCore
import BatonProtocol

/// Finds items that a person names by URI, path, row number of the last listing, or title.
extension Invocation {
    var memory: Memory { Memory(environment) }

    func uris(of words: some Sequence<String>, _ hub: ReconnectingHub) async throws -> [String] {
        var uris: [String] = []
        for word in words {
            if let numbers = LastListing.numbers(word) {
                uris += try await rows(numbers, hub).map(\.uri)
            } else if Words.areWords([word]) {
                uris.append(try await found(word, hub).text)
            } else {
                uris.append(try LocalPath.uri(for: word, hub: hub.endpoint))
            }
        }
        return uris
    }

    /// The best result of a search for these words.
    func found(_ words: String, as kind: ItemKind? = nil, _ hub: ReconnectingHub) async throws -> ItemURI {
        // A hub without a library finds nothing.
        let rows = try? await hub.items(Commands.Search(words, kinds: kind.map { [$0] }), most: 1).list.rows
        guard let row = rows?.first else { throw Stop(.refused, "There is no file “\(words)” here, and nothing is called so.") }
        if !json {
            Output.trouble("“\(words)” is \(ItemLines.name(row))" + (row.tags.kind.isContainer ? ", the \(row.tags.kind.rawValue)." : "."))
        }
        return row.variants.first ?? row.uri
    }

    func uri(of word: String, _ hub: ReconnectingHub) async throws -> ItemURI {
        let uris = try await uris(of: [word], hub)
        guard uris.count == 1 else { throw Stop(.usage, "\(verb) takes one item, and “\(word)” are \(uris.count).") }
        return ItemURI(uris[0])
    }

    func rows(_ numbers: ClosedRange<Int>, _ hub: ReconnectingHub) async throws -> ArraySlice<LastListing.Row> {
        guard let listing = memory.lastListing else {
            throw Stop(.refused, "There is no listing yet whose rows have numbers. This makes one: baton search WORDS")
        }
        guard listing.hub == (try await hub.state()).hub?.id ?? "" else {
            throw Stop(.refused, "The last listing was one of another hub. Its numbers name nothing here.")
        }
        return try listing.rows(numbers)
    }

    /// Remembers the rows that a person sees, so that the next command can refer to them by number. JSON output is
    /// not remembered.
    func remember(_ rows: [LastListing.Row], of hub: ReconnectingHub) async {
        guard !json, !rows.isEmpty else { return }
        memory.store(LastListing(hub: await hub.mirror.hub?.id ?? "", rows))
    }

    func remember(_ rows: [ItemRow], of hub: ReconnectingHub) async {
        await remember(rows.map { LastListing.Row(uri: ($0.variants.first ?? $0.uri).text) }, of: hub)
    }
}
