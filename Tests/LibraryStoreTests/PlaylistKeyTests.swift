/// The key table of playlists: Protocol/ 2.6, "Idempotency, expiry, ordering".
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct PlaylistKeyTests {
    @Test func `the keys of playlists live by the same rules`() throws {
        try withFolder { (folder) throws in
            let time = HandClock(50_000)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let key = CommandKey(device: "d", key: "k1", hash: [1])
            func isKnown(in boot: String, at clock: HandClock) throws -> Bool {
                let library = try LibraryStore(folder: folder, boot: boot, clock: clock.clock)
                defer { library.close() }
                return try library.answered(key) != nil
            }
            let library = try LibraryStore(folder: folder, boot: "b1", clock: time.clock)
            _ = try library.createPlaylist("Party", [], rule: nil, once: key, atMs: 1_700_000_000_000)
            #expect(
                try library.createPlaylist("Party", [], rule: nil, once: key, atMs: 4_000_000_000_000).isDup, "The wall clock has no say.")
            time.pass(ms: 300_000)
            library.close()

            #expect(try isKnown(in: "b1", at: time))
            #expect(try isKnown(in: "b2", at: HandClock(7)))
            let late = HandClock(7)
            #expect(try isKnown(in: "b2", at: late))
            late.pass(ms: 300_000)
            #expect(try isKnown(in: "b2", at: late) == false)
        }
    }

    @Test func `keys of playlists that bear the wall clock's time count as new`() throws {
        try withFolder { (folder) throws in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let old = try Database(folder + "/library.db")
            try old.define(function: "fold", Folding.fold)
            try Schema(steps: Array(Schema.library.steps.prefix(4))).migrate(old)
            let made = PlaylistOutcome(id: PlaylistID("p"), revision: 1)
            try old.run(
                "INSERT INTO answer (device, key, hash, answer, at_ms) VALUES ('d', 'k1', x'01', ?, 1700000000000)", [.blob(made.packed)])
            old.close()
            let time = HandClock(77)
            let library = try LibraryStore(folder: folder, boot: "b1", clock: time.clock)
            defer { library.close() }
            let key = CommandKey(device: "d", key: "k1", hash: [1])

            #expect(try library.answered(key)?.isDup == true)
            time.pass(ms: 600_001)
            #expect(try library.answered(key) == nil)
        }
    }
}
