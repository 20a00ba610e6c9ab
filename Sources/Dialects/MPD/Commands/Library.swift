import BatonCore
import BatonProtocol
import BatonSeams

/// Commands that show the library as a tree of files, and the shelves of other sources beside it.
extension Session {
    func listTree(_ words: [String], showsSongs: Bool) throws(Ack) -> Step {
        let path = Self.path(words.first)
        return .working { [self] () async throws(Ack) in
            let songs = try songs()
            switch try await offLoop({ () throws(SourceFault) in try songs.row(atPath: path) }) {
            case .song(let song)?:
                var text = SongText(tags)
                if showsSongs { text.add(song) } else { text.addPath(of: song) }
                try await send(text.bytes)
            case .folder(_, let changed)?:
                if !path.isEmpty {
                    var text = SongText(tags)
                    text.add(folder: path, changed: showsSongs ? changed : nil)
                    try await send(text.bytes)
                }
                try await stream.tree(below: path, depth: .tree, showsSongs: showsSongs)
            case nil: throw .noSuchDirectory
            }
        }
    }

    func listFolder(_ words: [String]) throws(Ack) -> Step {
        let path = Self.path(words.first)
        if let shelf = Self.shelf(path) { return .working { [self] () async throws(Ack) in try await listShelf(shelf) } }
        return .working { [self] () async throws(Ack) in
            let songs = try songs()
            switch try await offLoop({ () throws(SourceFault) in try songs.row(atPath: path) }) {
            case .song(let song)?:
                var text = SongText(tags)
                text.add(song)
                try await send(text.bytes)
            case .folder?: try await stream.tree(below: path, depth: .folder, showsSongs: true)
            case nil: throw .noSuchDirectory
            }
            guard path.isEmpty else { return }
            listShelves()
            if !hidesPlaylists { for list in try await allPlaylists() { writePlaylist(list) } }
        }
    }

    private static func path(_ word: String?) -> String { word == "/" ? "" : word ?? "" }

    // MARK: Other sources

    /// The sign before the name of a source, or of a shelf within it.
    private static let shelfSign = "@"

    /// A folder that is no folder of the library.
    enum Shelf: Equatable {
        /// All shelves of a source.
        case source(String)
        /// One shelf, or an album or another container.
        case container(ItemURI)
    }

    /// The shelf that a path stands for; `nil` for a path of the library.
    static func shelf(_ path: String) -> Shelf? {
        guard path.hasPrefix(shelfSign), path.utf8.count > 1 else { return nil }
        let name = String(path.dropFirst())
        return name.contains(":") ? .container(ItemURI(name)) : .source(name)
    }

    private func listShelves() {
        for source in view.sources { text.line("directory", Self.shelfSign + source.name) }
    }

    /// Shows what a shelf holds: what can be queued as songs, and shelves as folders.
    private func listShelf(_ shelf: Shelf) async throws(Ack) {
        try await eachRow(of: shelf) { (rows: [ItemRow]) async throws(Ack) in
            var text = SongText(tags)
            for row in rows {
                if row.tags.kind.isContainer {
                    text.add(folder: Self.shelfSign + row.uri.text)
                } else {
                    text.add(Song(item: row.uri, row.tags))
                }
            }
            try await send(text.bytes)
        }
    }

    /// The items that are queued for a shelf.
    func items(on shelf: Shelf) async throws(Ack) -> [ItemURI] {
        if case .container(let item) = shelf { return [item] }
        var items: [ItemURI] = []
        try await eachRow(of: shelf) { (rows: [ItemRow]) async throws(Ack) in items += rows.map(\.uri) }
        return items
    }

    private func eachRow(of shelf: Shelf, _ take: @Loop ([ItemRow]) async throws(Ack) -> Void) async throws(Ack) {
        let node: ItemURI? = if case .container(let item) = shelf { item } else { nil }
        var page = PageRequest()
        repeat {
            guard let list = try await ask(Commands.Browse(node: node, page: page)).data as? ItemList else { return }
            if case .source(let name) = shelf {
                try await take(list.rows.filter { $0.uri.source == name })
            } else {
                try await take(list.rows)
            }
            page.cursor = list.cursor
        } while page.cursor != nil
    }

    // MARK: Files

    /// Lists files as the disk has them, also those that are no music, below the music folders only.
    func listFiles(_ words: [String]) throws(Ack) -> Step {
        let path = Self.path(words.first)
        guard Self.isPlain(path), let folders = dialect.parts.folders else { throw .noSuchDirectory }
        let roots = dialect.parts.musicFolders()
        if path.isEmpty, roots.count != 1 {
            // Several folders stand in the one above them, which no disk has.
            for root in roots { text.line("directory", Self.name(of: root)) }
            return .done
        }
        guard let place = Self.place(of: path, in: roots) else { throw .noSuchDirectory }
        return .working { [self] () async throws(Ack) in
            let listing: FolderListing
            do throws(Ack) {
                listing = try await offLoop { () throws(SourceFault) in try folders.list(place, within: roots) { _ in true } }
            } catch {
                throw error.code == .missing ? .noSuchDirectory : error
            }
            for file in listing.files {
                text.line("file", file.name)
                text.line("size", file.stamp.size)
                text.line(.changed, utc: Int(file.stamp.modifiedNs / 1_000_000_000))
                try await sendIfLarge()
            }
            for folder in listing.folders { text.line("directory", folder) }
        }
    }

    /// The place of a path on the disk; `nil` for one that is in none of several music folders.
    private static func place(of path: String, in roots: [String]) -> String? {
        if roots.count == 1 { return path.isEmpty ? roots[0] : "\(roots[0])/\(path)" }
        let first = path.prefix { $0 != "/" }
        guard let root = roots.first(where: { name(of: $0) == first }) else { return nil }
        return root + path.dropFirst(first.count)
    }

    private static func name(of root: String) -> String { root.split(separator: "/").last.map(String.init) ?? root }

    private static func isPlain(_ path: String) -> Bool { path.isEmpty || FilterReader.isPlain(path: path) }

    func readComments(_ words: [String]) throws(Ack) -> Step {
        let path = words[0]
        let songs = try songs()
        return .working { [self] () async throws(Ack) in
            let found = try await offLoop { () throws(SourceFault) -> [(name: String, value: String)]? in
                guard case .song? = try songs.row(atPath: path) else { return nil }
                return try songs.comments(atPath: path)
            }
            guard let found else { throw .noSuchSong }
            for (name, value) in found { text.line(name, value) }
        }
    }

    // MARK: Updates

    /// Has the library looked at again. All of it is, since a folder's own disk knows best what has changed.
    func update(_ words: [String], isFull: Bool) throws(Ack) -> Step {
        guard Self.isPlain(Self.path(words.first)) else { throw Ack(.argument, "Malformed path") }
        return .asking(Commands.Scan(isFull: isFull)) { [self] _ in
            text.line("updating_db", dialect.updateBegun())
            return .done
        }
    }
}
