/// The trust with which entries were added is kept with them; those from before it was kept have one too.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Store

struct TrustTests {
    @Test func `an entry comes back with its trust, and keeps it when it is described anew`() throws {
        try withFolder { folder in
            let all: [Trust] = [.itemsOnly, .musicFolders, .plainPath, .anyPath]
            let rows = all.enumerated().map { index, trust in
                QueueEntry(id: EntryID(UInt64(index + 1)), uri: ItemURI("file:track/a"), tags: Tags(), trust: trust)
            }
            try withStore(in: folder) { file in
                try file.commit(.inserted(rows, after: nil))
                try file.commit(.described(rows[3]))
            }

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue.entries }

            #expect(found.map(\.trust) == all)
        }
    }

    @Test func `a queue from before goes on without following links, and a number that means nothing reaches nowhere`() throws {
        try withFolder { folder in
            try withStore(in: folder) { try $0.commit(.inserted(entries(1...2), after: nil)) }
            let old = try Database(folder + "/state.db")
            // As version 5 had it: without what the later steps add.
            try old.execute(
                """
                ALTER TABLE entry DROP COLUMN trust; ALTER TABLE entry DROP COLUMN share;
                ALTER TABLE journal DROP COLUMN clock_ms; ALTER TABLE journal DROP COLUMN clock_kernel_ms;
                ALTER TABLE journal DROP COLUMN clock_boot; ALTER TABLE answer RENAME COLUMN clock_ms TO at_ms;
                PRAGMA user_version = 5;
                """)
            old.close()

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue.entries }
            #expect(found.map(\.trust) == [.plainPath, .plainPath])

            let wrong = try Database(folder + "/state.db")
            try wrong.execute("UPDATE entry SET trust = 77")
            wrong.close()
            #expect(try withStore(in: folder) { try $0.load().rooms[0].queue.entries }.map(\.trust) == [.itemsOnly, .itemsOnly])
        }
    }

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
            try old.execute(
                """
                ALTER TABLE playlist_entry DROP COLUMN trust; DROP TABLE answer_clock;
                ALTER TABLE answer RENAME COLUMN clock_ms TO at_ms; PRAGMA user_version = 4;
                """)
            old.close()

            let new = try LibraryStore(folder: folder)
            defer { new.close() }
            #expect(try new.expandPlaylist(id).map(\.trust) == [.plainPath])
        }
    }
}
