import BatonCore
import BatonProtocol
import BatonSeams

/// Commands for stickers: named texts that programs attach to songs and playlists.
///
/// The stickers `rating` and `like` are the hub's own marks too, so that stars given here are seen on the page.
extension Session {
    private static let types = ["playlist", "song"]

    func sticker(_ words: [String]) throws(Ack) -> Step {
        guard let store = dialect.parts.stickers() else { throw Ack(.unknown, "sticker database is disabled") }
        guard Self.types.contains(words[1]) else {
            guard Self.verbs.contains(words[0]) else { throw Ack(.argument, "bad request") }
            throw Ack(.argument, "unknown sticker domain")
        }
        let rest = Array(words.dropFirst(3))
        let (verb, type, name) = (words[0], words[1], words[2])
        // The command reads for everyone, and changes for those who may change something.
        guard !Self.changing.contains(verb) || AllCommands.isOpen(from: .remote, to: client.role) else {
            throw AllCommands.refusal(of: "sticker")
        }
        switch (verb, rest.count) {
        case ("get", 1), ("list", 0), ("set", 2), ("delete", 0...1), ("inc", 2), ("dec", 2):
            let step = Int(rest.last ?? "")
            if verb == "inc" || verb == "dec", step == nil { throw Ack(.argument, "Integer expected: \(rest.last ?? "")") }
            return .working { [self] () async throws(Ack) in
                let holder = try await holder(type, name)
                switch verb {
                case "get": try await get(rest[0], of: holder, in: store)
                case "list": try await listStickers(of: holder, in: store)
                case "set": try await change(rest[0], of: holder, in: store) { _ in rest[1] }
                case "delete": try await delete(rest.first, of: holder, in: store)
                default:
                    let change = (verb == "inc" ? 1 : -1) * (step ?? 0)
                    try await self.change(rest[0], of: holder, in: store) { String((Int($0 ?? "") ?? 0) &+ change) }
                }
            }
        case ("find", 1...):
            let search = try StickerSearch(rest)
            return .working { [self] () async throws(Ack) in try await find(search, of: type, below: name, in: store) }
        default: throw Ack(.argument, "bad request")
        }
    }

    private static let changing: Set<String> = ["set", "delete", "inc", "dec"]
    private static let verbs: Set<String> = changing.union(["get", "list", "find"])

    // MARK: Holders

    /// Songs are named by their items, so that stickers stay when a file is renamed.
    private func holder(_ type: String, _ name: String) async throws(Ack) -> StickerHolder {
        if type == "song" { return StickerHolder(kind: type, name: try await item(at: name).text) }
        guard let list = try await playlist(named: name) else { throw Ack(.missing, "no such playlist") }
        return StickerHolder(kind: type, name: list.id.text)
    }

    // MARK: One sticker

    private static let noSticker = Ack(.missing, "no such sticker")

    private func get(_ name: String, of holder: StickerHolder, in store: any StickerStorage) async throws(Ack) {
        let stored = try await offLoop { () throws(SourceFault) in try store.sticker(name, of: holder) }
        // The original has no word for an empty one here, but lists it.
        guard let value = try await shown(stored, name, of: holder), !value.isEmpty else { throw Self.noSticker }
        text.line("sticker", "\(name)=\(value)")
    }

    /// The value as it is shown: the mark of the hub decides where it was changed elsewhere.
    private func shown(_ stored: String?, _ name: String, of holder: StickerHolder) async throws(Ack) -> String? {
        guard holder.kind == "song", let marked = MarkSticker(rawValue: name) else { return stored }
        guard let answer = try await ask(Commands.Item(ItemURI(holder.name))).data as? ItemAnswer else { return stored }
        return marked.value(of: answer.details.row.mark, stored: stored)
    }

    private func listStickers(of holder: StickerHolder, in store: any StickerStorage) async throws(Ack) {
        var stickers = try await offLoop { () throws(SourceFault) in try store.stickers(of: holder) }
        if holder.kind == "song" {
            for marked in MarkSticker.allCases {
                let stored = stickers.first { $0.name == marked.rawValue }?.value
                let value = try await shown(stored, marked.rawValue, of: holder)
                stickers.removeAll { $0.name == marked.rawValue }
                if let value { stickers.append(Sticker(name: marked.rawValue, value: value)) }
            }
            stickers.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
        for sticker in stickers { text.line("sticker", "\(sticker.name)=\(sticker.value)") }
    }

    private func change(
        _ name: String, of holder: StickerHolder, in store: any StickerStorage, to value: @escaping @Sendable (String?) -> String
    ) async throws(Ack) {
        // The original answers as if it kept a sticker without a name.
        guard !name.isEmpty else { return }
        let after = try await offLoop { () throws(SourceFault) -> String in
            var after = ""
            try store.change(name, of: holder) { before throws(SourceFault) in
                after = value(before)
                return after
            }
            return after
        }
        try await mark(name, of: holder, as: after)
        dialect.notice(.sticker)
    }

    private func delete(_ name: String?, of holder: StickerHolder, in store: any StickerStorage) async throws(Ack) {
        var isGone = try await offLoop { () throws(SourceFault) -> Bool in
            guard let name else { return try store.removeAll(of: holder) }
            return try store.change(name, of: holder) { _ throws(SourceFault) in nil } != nil
        }
        // A mark is shown as a sticker, and would be shown again.
        for marked in MarkSticker.allCases where name == nil || name == marked.rawValue {
            guard try await shown(nil, marked.rawValue, of: holder) != nil else { continue }
            try await mark(marked.rawValue, of: holder, as: nil)
            isGone = true
        }
        guard isGone else { throw Self.noSticker }
        dialect.notice(.sticker)
    }

    /// Sets the mark of the hub that a sticker stands for.
    private func mark(_ name: String, of holder: StickerHolder, as value: String?) async throws(Ack) {
        guard holder.kind == "song", let marked = MarkSticker(rawValue: name) else { return }
        let number = value.flatMap { Int($0) } ?? 0
        let item = ItemURI(holder.name)
        switch marked {
        case .rating: _ = try await ask(Commands.RatingSet(item, stars: max(0, min(5, (number + 1) / 2))))
        case .like: _ = try await ask(Commands.FavouriteSet(item, isOn: number >= 2))
        }
    }

    // MARK: Finding

    private func find(_ search: StickerSearch, of type: String, below folder: String, in store: any StickerStorage) async throws(Ack) {
        let library = dialect.parts.songs()
        var found: [(name: String, value: String)] = []
        var after: String?
        repeat {
            let start = after
            let page = try await offLoop { () throws(SourceFault) in
                let rows = try store.holders(ofKind: type, with: search.name, after: start, most: SongStream.piece)
                let wanted = rows.filter { search.matches($0.value) }
                let songs = type == "song" ? try library?.songs(of: wanted.map { ItemURI($0.holder) }) : nil
                let names = wanted.indices.map { songs?[$0]?.uri ?? wanted[$0].holder }
                return (zip(names, wanted).map { ($0, $1.value) }, rows.count == SongStream.piece ? rows.last?.holder : nil)
            }
            found += page.0.map { (name: $0.0, value: $0.1) }
            after = page.1
        } while after != nil
        if type == "song" {
            found = found.filter { folder.isEmpty || $0.name.utf8.starts(with: (folder + "/").utf8) }
        } else {
            let lists = try await allPlaylists()
            found = found.compactMap { one in lists.first { $0.id.text == one.name }.map { (name: $0.name, value: one.value) } }
            if !folder.isEmpty { found = found.filter { $0.name == folder } }
        }
        let all = found
        for (name, value) in try await offLoop({ () throws(SourceFault) in search.sorted(all) }) {
            text.line(type == "song" ? "file" : type, name)
            text.line("sticker", "\(search.name)=\(value)")
            try await sendIfLarge()
        }
    }

    // MARK: Names

    func listStickerNames() throws(Ack) -> Step {
        guard let store = dialect.parts.stickers() else { throw Ack(.unknown, "sticker database is disabled") }
        return .working { [self] () async throws(Ack) in
            var last: String?
            for (name, _) in try await offLoop({ () throws(SourceFault) in try store.names() }) where name != last {
                text.line("name", name)
                last = name
                try await sendIfLarge()
            }
        }
    }

    func listStickerTypes() -> Step {
        for type in Self.types { text.line("stickertype", type) }
        return .done
    }

    func listStickerNamesAndTypes(_ words: [String]) throws(Ack) -> Step {
        guard let store = dialect.parts.stickers() else { throw Ack(.unknown, "sticker database is disabled") }
        let wanted = words.first
        if let wanted, !Self.types.contains(wanted) { throw Ack(.argument, "unknown sticker domain") }
        return .working { [self] () async throws(Ack) in
            for (name, kind) in try await offLoop({ () throws(SourceFault) in try store.names() }) where wanted == nil || wanted == kind {
                text.line("name", name)
                text.line("type", kind)
                try await sendIfLarge()
            }
        }
    }
}
