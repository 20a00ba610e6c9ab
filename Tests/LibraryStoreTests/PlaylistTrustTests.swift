/// The trust with which entries of playlists were added is stored with them.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct PlaylistTrustTests {
    @Test func `a playlist's entries keep the trust of whoever saved them, through an edit that is taken back`() throws {
        try withLibrary { library in
            let items = [Trust.musicFolders, .anyPath].map { trust in
                NewEntry(uri: ItemURI("file:track/same.flac"), tags: Tags(title: "Same"), trust: trust)
            }
            let id = try library.createPlaylist("Mine", items, rule: nil, once: nil, atMs: 1).id
            _ = try library.editPlaylist(id, base: 1, [.clear], once: nil, atMs: 2)
            _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: 3)

            #expect(try library.expandPlaylist(id).map(\.trust) == [.musicFolders, .anyPath])
        }
    }

    @Test func `a playlist from before goes on without following links`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let item = NewEntry(uri: ItemURI("file:track/a.flac"), tags: Tags(title: "A"), trust: .anyPath)
            let library = try LibraryStore(folder: folder)
            let id = try library.createPlaylist("Mine", [item], rule: nil, once: nil, atMs: 1).id
            library.close()
            let old = try Database(folder + "/library.db")
            try old.forgetBooks()
            try old.execute(
                """
                DROP VIEW release_year; ALTER TABLE playlist_entry DROP COLUMN trust; DROP TABLE answer_clock; DROP TABLE deleted_playlist;
                ALTER TABLE playlist_edit DROP COLUMN clock_ms;
                ALTER TABLE answer RENAME COLUMN clock_ms TO at_ms; PRAGMA user_version = 4;
                """)
            old.close()

            let new = try LibraryStore(folder: folder)
            defer { new.close() }
            #expect(try new.expandPlaylist(id).map(\.trust) == [.plainPath])
        }
    }
}
