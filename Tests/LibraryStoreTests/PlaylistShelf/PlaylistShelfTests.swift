/// The playlists of a hub as a source, kept in a real library file.
import BatonCore
import BatonLibrary
import BatonSeams
import Foundation
import Stores
import Testing

@Suite struct PlaylistShelfTests {
    private static let entries = ["One", "Two", "Three"].map {
        NewEntry(uri: ItemURI("http://x.example/\($0)"), tags: Tags(title: $0, durationMs: 1_000))
    }

    private func withShelf(_ body: (PlaylistShelf, LibraryStore) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "baton-playlists-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = try LibraryStore(folder: folder)
        defer {
            store.close()
            try? FileManager.default.removeItem(atPath: folder)
        }
        try await body(PlaylistShelf(store), store)
    }

    @Test func `a playlist is found, read page by page, and queued as its items`() async throws {
        try await withShelf { shelf, store in
            _ = try store.createPlaylist("Sunday", Self.entries, rule: nil, once: nil, atMs: 1)

            let lists = try await shelf.browse(BrowseQuery())
            let list = try #require(lists.rows.first)
            let first = try await shelf.browse(BrowseQuery(node: list.uri, window: PageWindow(limit: 2)))
            let rest = try await shelf.browse(BrowseQuery(node: list.uri, window: PageWindow(limit: 2, cursor: first.cursor)))

            #expect(list.tags.title == "Sunday" && list.tags.kind == .playlist && list.count == 3)
            #expect((first.rows + rest.rows).map(\.tags.title) == ["One", "Two", "Three"])
            #expect(rest.cursor == nil)
            #expect(try await shelf.expand(list.uri, trust: .itemsOnly).map(\.uri) == Self.entries.map(\.uri))
        }
    }

    @Test func `an empty playlist, another source's item and a playlist as a track are refused with a sentence`() async throws {
        try await withShelf { shelf, store in
            _ = try store.createPlaylist("Empty", [], rule: nil, once: nil, atMs: 1)
            let empty = try #require(try await shelf.browse(BrowseQuery()).rows.first).uri

            #expect(await fault { _ = try await shelf.expand(empty, trust: .anyPath) }?.code == .notFound)
            #expect(await fault { _ = try await shelf.expand(ItemURI("lib:track/1"), trust: .anyPath) }?.code == .notFound)
            #expect(await fault { _ = try await shelf.resolve(empty, trust: .anyPath) }?.code == .unsupported)
        }
    }

    private func fault(_ body: () async throws -> Void) async -> SourceFault? {
        do { try await body() } catch {
            return error as? SourceFault
        }
        return nil
    }
}
