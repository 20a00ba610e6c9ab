import BatonCore
import BatonProtocol
import BatonSeams

/// Commands that put songs into the queue.
extension Session {
    func add(_ words: [String]) throws(Ack) -> Step {
        let place = try insertion(words.count > 1 ? words[1] : nil)
        let uri = words[0]
        return .working { [self] () async throws(Ack) in
            let items = try await items(at: uri)
            if !items.isEmpty { _ = try await ask(Commands.QueueAdd(items, place: place)) }
        }
    }

    func addID(_ words: [String]) throws(Ack) -> Step {
        let place = try insertion(words.count > 1 ? words[1] : nil)
        let uri = words[0]
        return .working { [self] () async throws(Ack) in
            let item = try await item(at: uri)
            let reply = try await ask(Commands.QueueAdd([item], place: place))
            if let entry = reply.queue?.ids?.first { text.line("Id", entry.number) }
        }
    }

    // MARK: Items of names

    /// The web address that a name is; `nil` for a path. Files are named by their paths in the library alone.
    private static func address(_ uri: String) throws(Ack) -> ItemURI? {
        guard !uri.hasPrefix("/") else { throw Ack(.permission, "Access denied") }
        guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), uri[colon...].hasPrefix("://") else { return nil }
        switch uri[..<colon].lowercased() {
        case "http", "https": return ItemURI(uri)
        case "file": throw Ack(.permission, "Access denied")
        default: throw Ack(.argument, "Unsupported URI scheme")
        }
    }

    /// The item of another source that a name may be, as answers show it: `SOURCE:KIND/ID`.
    private static func foreignItem(_ uri: String) -> ItemURI? {
        guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), uri[colon...].contains("/") else { return nil }
        let isName = uri[..<colon].utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
        return isName && colon != uri.startIndex ? ItemURI(uri) : nil
    }

    /// The items of a song, or of all songs below a folder.
    func items(at uri: String) async throws(Ack) -> [ItemURI] {
        // Some programs call the folder above all others so.
        let path = uri == "/" ? "" : uri
        if let shelf = Self.shelf(path) { return try await items(on: shelf) }
        if let address = try Self.address(path) { return [address] }
        switch try await row(at: path) {
        case .song(let song)?: return [song.item].compactMap { $0 }
        case .folder?: return try await items(below: path)
        case nil:
            guard let item = Self.foreignItem(path) else { throw .noSuchDirectory }
            return [item]
        }
    }

    private func row(at path: String) async throws(Ack) -> SongOrFolder? {
        let songs = try songs()
        return try await offLoop { () throws(SourceFault) in try songs.row(atPath: path) }
    }

    private func items(below folder: String) async throws(Ack) -> [ItemURI] {
        let songs = try songs()
        var items: [ItemURI] = []
        var next: SongPlace?
        repeat {
            let after = next
            let page = try await offLoop { () throws(SourceFault) in
                let page = try songs.rows(below: folder, depth: .tree, after: after, most: SongStream.piece)
                return SongPage(rows: page.rows.compactMap(\.song?.item), next: page.next)
            }
            items += page.rows
            next = page.next
            // The queue takes no more, and says so.
        } while next != nil && items.count <= ports.limits.queueLength
        return items
    }

    /// The item of one song.
    func item(at uri: String) async throws(Ack) -> ItemURI {
        if let address = try Self.address(uri) { return address }
        switch try await row(at: uri) {
        case .song(let song)?:
            guard let item = song.item else { throw .noSuchSong }
            return item
        case .folder?: throw .noSuchSong
        case nil:
            guard let item = Self.foreignItem(uri) else { throw .noSuchSong }
            return item
        }
    }

    // MARK: Lists of commands

    /// Carries out commands of a list as one.
    func carryOut(_ plan: ListPlan) throws(Ack) -> Step {
        switch plan {
        case .add(let uris):
            return .working { [self] () async throws(Ack) in try await add(all: uris) }
        case .replace(let uris, let start, let length):
            return .working { [self] () async throws(Ack) in try await replace(by: uris, start: start, length: length) }
        case .delete(let ids):
            return try delete(all: ids)
        }
    }

    /// Adds songs until one is not there, and answers as if each had been added by itself.
    private func add(all uris: [String]) async throws(Ack) {
        let (items, fault) = await items(ofAll: uris)
        if !items.isEmpty { _ = try await ask(Commands.QueueAdd(items.flatMap { $0 })) }
        batch?.width = items.count
        guard let fault else { return }
        failBehind(items.count, command: "add")
        throw fault
    }

    private func replace(by uris: [String], start: Int, length: Int) async throws(Ack) {
        let (items, fault) = await items(ofAll: uris)
        // A place counts songs, and only where each name is one song both are the same.
        let isPlain = fault == nil && (start == 0 || items.allSatisfy { $0.count == 1 }) && items.contains { !$0.isEmpty }
        guard isPlain else {
            _ = try await ask(Commands.QueueClear(view.queue?.revision ?? 0))
            if items.contains(where: { !$0.isEmpty }) { _ = try await ask(Commands.QueueAdd(items.flatMap { $0 })) }
            // `play` is carried out by itself.
            batch?.width = 1 + items.count
            guard let fault else { return }
            failBehind(1 + items.count, command: "add")
            throw fault
        }
        _ = try await ask(Commands.QueueReplace(view.queue?.revision ?? 0, uris: items.flatMap { $0 }, start: start))
        if view.playing != .play { _ = try await ask(Commands.Play()) }
        press.tell(current)
        batch?.width = length
    }

    /// The items of each name until one is not there.
    private func items(ofAll uris: [String]) async -> ([[ItemURI]], Ack?) {
        var all: [[ItemURI]] = []
        for uri in uris {
            do throws(Ack) { all.append(try await items(at: uri)) } catch { return (all, error) }
        }
        return (all, nil)
    }

    private func delete(all ids: [String]) throws(Ack) -> Step {
        var entries: [EntryID] = []
        var fault: Ack?
        queue.refresh()
        var present = Set(queue.songs)
        for id in ids {
            do throws(Ack) {
                let entry = EntryID(UInt64(try Argument.count(id)))
                // An id that is named twice is gone at the second time.
                guard present.remove(entry) != nil else { throw Ack.noSuchSong }
                entries.append(entry)
            } catch {
                fault = error
                break
            }
        }
        let (found, first) = (entries, fault)
        guard !found.isEmpty else { throw first ?? .noSuchSong }
        return removing(found) { [self] () throws(Ack) in
            batch?.width = found.count
            guard let first else { return }
            failBehind(found.count, command: "deleteid")
            throw first
        }
    }

    /// Answers the commands before the one that has failed, which is the current one then.
    private func failBehind(_ count: Int, command: String) {
        guard batch != nil else { return }
        if batch?.showsOK == true { for _ in 0..<count { text.whole("list_OK") } }
        batch?.place += count
        batch?.width = 1
        batch?.command = command
    }
}

extension SongOrFolder {
    /// The song; `nil` for a folder.
    var song: Song? { if case .song(let song) = self { song } else { nil } }
}
