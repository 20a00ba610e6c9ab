/// The other places of a track are stored with its entry; entries from before they were stored have none.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct AlternativeTests {
    private let places = ["home:track/a%20b", "/music/ä.flac", "away:track/7"].map { ItemURI($0) }

    @Test func `an entry comes back with its other places, also after it was described anew`() throws {
        try withFolder { folder in
            let uri = ItemURI("lib:track/1")
            let rows = [
                QueueEntry(id: EntryID(1), uri: uri, tags: Tags(), alternatives: places),
                QueueEntry(id: EntryID(2), uri: uri, tags: Tags(), alternatives: [ItemURI("/a\nb"), places[2]]),
                QueueEntry(id: EntryID(3), uri: uri, tags: Tags()),
            ]
            try withStore(in: folder) { file in
                try file.commit(.inserted(rows, after: nil))
                try file.commit(.described(rows[0]))
            }

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue.entries }

            #expect(found.map(\.alternatives) == [places, [places[2]], []])
        }
    }

    @Test func `a file from before places were kept opens, and its entries have no other places`() throws {
        try withFolder { folder in
            try withStore(in: folder) { try $0.commit(.inserted(entries(1...2), after: nil)) }
            let old = try Database(folder + "/state.db")
            try old.goBack(to: 9)
            old.close()

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue.entries }

            #expect(found.map(\.alternatives) == [[], []])
        }
    }
}
