/// The other places of a track are kept with its entry; entries from before they were kept have none.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import StateStore

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
            try old.execute(
                """
                ALTER TABLE room DROP COLUMN sleep_places; ALTER TABLE room DROP COLUMN trims; ALTER TABLE room DROP COLUMN presence;
                ALTER TABLE room DROP COLUMN links;
                ALTER TABLE room DROP COLUMN raises_voice; ALTER TABLE room DROP COLUMN forward_ms; ALTER TABLE room DROP COLUMN back_ms;
                ALTER TABLE room DROP COLUMN music_speed; ALTER TABLE room DROP COLUMN speech_speed; ALTER TABLE room DROP COLUMN work_speeds;
                ALTER TABLE room DROP COLUMN heard_from_ms; ALTER TABLE room DROP COLUMN paused_clock_ms;
                ALTER TABLE room DROP COLUMN sleep_end; ALTER TABLE room DROP COLUMN sleep_amount; ALTER TABLE room DROP COLUMN sleep_fade_ms;
                ALTER TABLE entry DROP COLUMN alternatives; ALTER TABLE room DROP COLUMN deletion;
                ALTER TABLE room DROP COLUMN unfinished; ALTER TABLE room DROP COLUMN filler;
                PRAGMA user_version = \(Schema.state.steps.count - 12)
                """)
            old.close()

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue.entries }

            #expect(found.map(\.alternatives) == [[], []])
        }
    }
}
