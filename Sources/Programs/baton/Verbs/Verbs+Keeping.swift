import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams

/// Verbs for offline copies on the hub's disk, which play while a server is away.
extension Verb {
    @Sendable static func keep(_ call: Invocation, _ satellite: Satellite) async throws {
        var call = call
        let word = call.operands.first ?? "list"
        let choice: @Sendable (Invocation, ReconnectingHub) async throws -> Void
        switch word {
        case "list": choice = listKept
        case "drop": choice = dropKept
        case "limit": choice = limitKept
        default: choice = keepItems
        }
        if ["list", "drop", "limit"].contains(word) {
            if !call.operands.isEmpty { call.operands.removeFirst() }
            call.verb = "keep \(word)"
        }
        try await satellite.withHub(call, settings: call.options.has("wait") ? .lasting : nil) { [call] hub in
            _ = try await hub.state()
            try await choice(call, hub)
        }
    }

    // MARK: Listing

    @Sendable private static func listKept(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let (list, raw) = try await hub.kept()
        if call.json { return Output.json { $0.value(raw) } }
        if list.rows.isEmpty { return Output.line("Nothing is kept yet. Keep something: baton keep URI, or a playlist, or favourites.") }
        var table = Table(["", "what", "kind", "state", "size"], call.ink)
        table.paint(column: 1, .bold)
        for (number, row) in list.rows.enumerated() {
            table.add("\(number + 1)", row.title, KeepWords.what(row), KeepWords.state(row), ByteSize.text(row.bytes), row.sentence ?? "")
        }
        table.print()
        let spare = list.spare.map { "; the disk has \(ByteSize.text($0)) left" } ?? ""
        Output.line("\(ByteSize.text(list.bytes)) of \(ByteSize.text(list.limit))\(spare).")
        if let section = await hub.mirror.keeping {
            // The section is updated slightly later than the list, and may still name a finished download.
            let isAllThere = list.rows.allSatisfy { $0.whole >= $0.tracks - $0.left }
            for track in section.fetching where !isAllThere { Output.line("Now: \(track.title), \(track.percent) %") }
            if let sentence = section.sentence { Output.line(sentence) }
        }
    }

    // MARK: Changing

    @Sendable private static func keepItems(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let wishes = try await wishes(in: call, call.operands, hub)
        for wish in wishes {
            let outcome = try await hub.send(Commands.KeepSet(wish, true)).reply.outcome
            guard !call.json else { continue }
            if case .noop = outcome { Output.line("\(KeepWords.name(wish)) is kept already.") }
        }
        if call.options.has("wait") { try await follow(wishes, hub, isShown: Output.isTerminal && !call.json) }
        try await listKept(call.alone, hub)
    }

    @Sendable private static func dropKept(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        guard !call.operands.isEmpty else { throw Stop(.usage, "keep drop needs an item, a playlist, a rule, or a number of keep list.") }
        let rows = try await hub.kept().list.rows
        var dropped: [KeepWish] = []
        var names: [String] = []
        for name in call.operands {
            if let number = Int(name), rows.indices.contains(number - 1) {
                dropped.append(rows[number - 1].wish)
            } else if let row = rows.first(where: { $0.title.lowercased() == name.lowercased() }) {
                dropped.append(row.wish)
            } else {
                names.append(name)
            }
        }
        for wish in try await dropped + wishes(in: call, names, hub) {
            let outcome = try await hub.send(Commands.KeepSet(wish, false)).reply.outcome
            guard !call.json else { continue }
            if case .noop = outcome { Output.line("\(KeepWords.name(wish)) was not kept.") }
        }
        try await listKept(call.alone, hub)
    }

    @Sendable private static func limitKept(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        if call.operands.isEmpty { return try await listKept(call, hub) }
        let text = call.operands.joined(separator: " ")
        guard let bytes = ByteSize.bytes(in: text) else {
            throw Stop(.usage, "“\(text)” is no size. Write bytes, or a number with K, M, G or T as in 20G.")
        }
        try await hub.send(Commands.KeepLimit(Int(bytes)))
        try await listKept(call.alone, hub)
    }

    /// Offline rules from words, items from URIs, playlists from names.
    private static func wishes(in call: Invocation, _ words: [String], _ hub: ReconnectingHub) async throws -> [KeepWish] {
        var wishes: [KeepWish] = []
        var words = words[...]
        var lists: [PlaylistRow]?
        while let word = words.popFirst() {
            switch word.lowercased() {
            case "favourites": wishes.append(.favourites)
            case "most-played":
                let count = words.first.flatMap { Int($0) }
                if count != nil { words.removeFirst() }
                guard KeepWish.counts ~= (count ?? KeepWish.usualCount) else { throw Stop(.usage, "most-played takes 1 to 1000 tracks.") }
                wishes.append(.mostPlayed(count ?? KeepWish.usualCount))
            default:
                if LastListing.numbers(word) != nil {
                    wishes += try await call.uris(of: [word], hub).map { .item(ItemURI($0)) }
                    continue
                }
                if word.contains(":") {
                    wishes.append(.item(ItemURI(word)))
                    continue
                }
                let rows = try await known(&lists, hub)
                let named = rows.filter { $0.name.lowercased() == word.lowercased() || $0.id.text == word }
                guard named.count == 1 else {
                    throw Stop(
                        .refused,
                        "“\(word)” is no playlist of this hub, no URI, and neither favourites nor most-played."
                            + (named.isEmpty ? "" : " There are several of this name; name one by its id."))
                }
                wishes.append(.item(named[0].id.uri))
            }
        }
        return wishes
    }

    private static func known(_ lists: inout [PlaylistRow]?, _ hub: ReconnectingHub) async throws -> [PlaylistRow] {
        if let lists { return lists }
        let rows = try await hub.playlists().rows
        lists = rows
        return rows
    }

    /// Shows the progress until all copies are complete, or the hub says why they are not.
    private static func follow(_ wishes: [KeepWish], _ hub: ReconnectingHub, isShown: Bool) async throws {
        var told = ""
        while true {
            let list = try await hub.kept().list
            let rows = list.rows.filter { wishes.contains($0.wish) }
            let (whole, tracks) = (rows.reduce(0) { $0 + $1.whole }, rows.reduce(0) { $0 + $1.tracks - $1.left })
            let line = "\(whole) of \(tracks) tracks, \(ByteSize.text(list.bytes))"
            if isShown, line != told { Output.line(line) }
            told = line
            if whole >= tracks { return }
            if let section = await hub.mirror.keeping, section.fetching.isEmpty, let sentence = section.sentence {
                return Output.trouble(sentence)
            }
            try await Task.sleep(for: .milliseconds(250))
        }
    }
}

/// Sentences about offline copies.
enum KeepWords {
    static func name(_ wish: KeepWish) -> String {
        switch wish {
        case .item(let uri): uri.text
        case .favourites: "favourites"
        case .mostPlayed(let count): "most-played \(count)"
        }
    }

    static func what(_ row: KeptList.Row) -> String { row.kind?.rawValue ?? "rule" }

    static func state(_ row: KeptList.Row) -> String {
        let left = row.left > 0 ? ", \(row.left) no longer at the server" : ""
        if row.kind == .track || row.kind == .generation { return (row.whole == 1 ? "kept" : "waits") + left }
        return "\(row.whole) of \(row.tracks)\(left)"
    }

    /// The mark of a row; empty if there is no offline copy of the item.
    static func mark(_ mark: KeepMark?) -> String {
        guard let mark else { return "" }
        return (mark.isWhole ? "kept" : "kept \(mark.percent) %") + (mark.hasLeft ? ", no longer at its server" : "")
    }
}
