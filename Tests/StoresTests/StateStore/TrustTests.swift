/// The trust with which entries were added is stored with them; those from before it was stored have one too.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

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
            try old.execute("ALTER TABLE answer RENAME COLUMN clock_ms TO at_ms")
            try old.goBack(to: 5)
            old.close()

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue.entries }
            #expect(found.map(\.trust) == [.plainPath, .plainPath])

            let wrong = try Database(folder + "/state.db")
            try wrong.execute("UPDATE entry SET trust = 77")
            wrong.close()
            #expect(try withStore(in: folder) { try $0.load().rooms[0].queue.entries }.map(\.trust) == [.itemsOnly, .itemsOnly])
        }
    }
}
