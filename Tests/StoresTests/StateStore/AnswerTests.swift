/// The key table: Protocol/ 2.6, "Idempotency, expiry, ordering".
import BatonCore
import BatonProtocol
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct AnswerTests {
    private func answer(_ key: String, device: String = "d_1", _ text: String = "o_1") -> StoredAnswer {
        StoredAnswer(device: device, key: key, hash: .max - 7, reply: reply(text))
    }

    @Test func `an answer is found again, also after a restart`() throws {
        try withFolder { (folder) throws in
            let kept = answer("k-1", "o_17")
            try withStore(in: folder) { try $0.commit([Change(room: living, answer: kept, revision: 1)]) }

            try withStore(in: folder) { (file) throws in
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == kept)
                #expect(try file.answer(device: "d_2", key: "k-1", to: .next) == nil)
                #expect(try file.answer(device: "d_1", key: "k-2", to: .next) == nil)
            }
        }
    }

    @Test func `an answer that an older hub kept is read, and is written in the same way`() throws {
        try withFolder { (folder) throws in
            let text = Array(#"{"t":"res","id":17,"ok":1,"st":"applied","rev":48214,"queue":{"rev":911,"ids":["q81a"]}}"#.utf8)
            var reply = Reply(id: 17, .applied(), revision: 48_214)
            reply.queue = Reply.QueueResult(revision: 911, ids: [EntryID(text: "q81a")].compactMap(\.self))
            let kept = StoredAnswer(device: "d_1", key: "k-1", hash: 5, reply: reply)
            try withStore(in: folder) { (file) throws in
                try file.commit([Change(room: living, answer: kept, revision: 1)])
                #expect(try file.database.first("SELECT answer FROM answer") { $0.blob(0) } == text)
            }

            try withStore(in: folder) { (file) throws in #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == kept) }
        }
    }

    @Test func `an answer keeps the room whose queue it tells of`() throws {
        try withFolder { (folder) throws in
            var reply = reply("o_1")
            reply.queue = Reply.QueueResult(revision: 911)
            let kept = StoredAnswer(device: "d_1", key: "k-1", hash: 5, reply: reply, room: RoomID("salon bleu"))
            try withStore(in: folder) { (file) throws in
                try file.commit([Change(room: living, answer: kept, revision: 1)])
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == kept)
            }
        }
    }

    @Test func `the data of an answer is read by the kind of the command that is repeated`() throws {
        try withFolder { (folder) throws in
            var reply = reply("o_1")
            reply.data = ProgressList([.init(uri: ItemURI("file:b"))])
            let kept = StoredAnswer(device: "d_1", key: "k-1", hash: 5, reply: reply)
            try withStore(in: folder) { (file) throws in
                try file.commit([Change(room: living, answer: kept, revision: 1)])
                #expect(try file.answer(device: "d_1", key: "k-1", to: .progressFinish) == kept)
                for other in [CommandKind.roomCreate, .jobStart, .next] {
                    let again = try file.answer(device: "d_1", key: "k-1", to: other)
                    #expect(again?.reply.outcome == reply.outcome && again?.reply.data == nil)
                }
            }
        }
    }

    @Test func `an answer that cannot be read is none`() throws {
        try withFolder { (folder) throws in
            try withStore(in: folder) { (file) throws in
                try file.commit([Change(room: living, answer: answer("k-1"), revision: 1)])
                try file.database.run("UPDATE answer SET answer = ?", [.blob(Array("{".utf8))])

                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == nil)
            }
        }
    }

    @Test func `an answer is forgotten after ten minutes and its key is free again`() throws {
        try withFolder { (folder) throws in
            let time = HandClock(5_000)
            try withStore(in: folder, nowMs: time.read) { (file) throws in
                try file.commit([Change(room: living, answer: answer("k-1"), revision: 1)])

                time.pass(ms: 600_000)
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) != nil)
                time.pass(ms: 1)
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == nil)

                let second = answer("k-1", "second")
                try file.commit([Change(room: living, answer: second, revision: 2)])
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == second)
            }
        }
    }

    @Test func `each device keeps its last 256 and not many more`() throws {
        try withFolder { (folder) throws in
            let time = HandClock(0)
            try withStore(in: folder, nowMs: time.read) { (file) throws in
                try file.commit([Change(room: living, answer: answer("other", device: "d_2"), revision: 1)])
                for number in 1...1_000 {
                    time.pass(ms: 1)
                    try file.commit([Change(room: living, answer: answer("k-\(number)"), revision: number)])
                }

                for number in 745...1_000 { #expect(try file.answer(device: "d_1", key: "k-\(number)", to: .next) != nil) }
                #expect(try file.answer(device: "d_1", key: "k-700", to: .next) == nil)
                #expect(try file.answer(device: "d_2", key: "other", to: .next) != nil)
                #expect(try file.storedAnswers() <= 256 + 32 + 1)
            }
        }
    }

    @Test func `answers of devices that went away leave the file`() throws {
        try withFolder { (folder) throws in
            let time = HandClock(0)
            try withStore(in: folder, nowMs: time.read) { (file) throws in
                for number in 0..<2_000 {
                    // One a second, each from a device of its own.
                    time.pass(ms: 1_000)
                    try file.commit([Change(room: living, answer: answer("k-1", device: "d_\(number)"), revision: number)])
                }

                #expect(try file.storedAnswers() < 700)
            }
        }
    }

    // MARK: Across restarts

    @Test func `in one life of the kernel a key lives ten minutes, however often the hub was restarted`() throws {
        try withFolder { (folder) throws in
            let time = HandClock(1_000_000)
            try withStore(in: folder, nowMs: time.read) { try $0.commit([Change(room: living, answer: answer("k-1"), revision: 1)]) }
            for _ in 0..<6 {
                try withStore(in: folder, nowMs: time.read) { (file) throws in
                    #expect(try file.answer(device: "d_1", key: "k-1", to: .next) != nil)
                }
                time.pass(ms: 100_000)
            }
            try withStore(in: folder, nowMs: time.read) { (file) throws in
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) != nil)
            }

            time.pass(ms: 1)

            try withStore(in: folder, nowMs: time.read) { (file) throws in
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == nil)
            }
        }
    }

    @Test(arguments: [0, 3_000, 1_000_000, 900_000_000]) func `a reboot frees no key, whatever the new clock says`(
        restartsAt ms: Milliseconds
    )
        throws
    {
        try withFolder { (folder) throws in
            let time = HandClock(1_000_000)
            try withStore(in: folder, boot: "b1", nowMs: time.read) {
                try $0.commit([Change(room: living, answer: answer("k-1"), revision: 1)])
                time.pass(ms: 500_000)
            }
            let next = HandClock(ms)
            try withStore(in: folder, boot: "b2", nowMs: next.read) { (file) throws in
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) != nil)

                next.pass(ms: 100_000)

                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == nil, "What passed before the reboot counts too.")
            }
        }
    }

    @Test func `a machine that never runs for ten minutes keeps no key for ever`() throws {
        try withFolder { (folder) throws in
            try withStore(in: folder, boot: "b0", nowMs: { 0 }) {
                try $0.commit([Change(room: living, answer: answer("k-1"), revision: 1)])
            }
            var boots = 0
            while try withStore(in: folder, boot: "b\(boots + 1)", nowMs: { 0 }, { try $0.answer(device: "d_1", key: "k-1", to: .next) })
                != nil
            {
                boots += 1
                try #require(boots < 1_000)
            }
            #expect(boots >= 500)
        }
    }

    @Test func `a clock that is set back, or is another machine's, neither frees a key nor stops its life`() throws {
        try withFolder { (folder) throws in
            let time = HandClock(9_000_000)
            try withStore(in: folder, nowMs: time.read) { (file) throws in
                try file.commit([Change(room: living, answer: answer("k-1"), revision: 1)])
            }
            let other = HandClock(10)
            try withStore(in: folder, nowMs: other.read) { (file) throws in
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) != nil)
                other.pass(ms: 600_001)
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == nil)
            }
        }
    }

    @Test func `after a kill the life of a key goes on from the last note`() throws {
        try withFolder { (folder) throws in
            try withFolder { (copy) throws in
                let time = HandClock(0)
                try withStore(in: folder, nowMs: time.read) { (file) throws in
                    try file.commit([Change(room: living, answer: answer("k-1"), revision: 1)])
                    // Commits without keys move the clock on disk too.
                    time.pass(ms: 590_000)
                    try file.commit([Change(room: living, revision: 2)])
                    try FileManager.default.copyItem(atPath: folder, toPath: copy)
                }
                try withStore(in: copy, boot: "b2", nowMs: time.read) { (file) throws in
                    #expect(try file.answer(device: "d_1", key: "k-1", to: .next) != nil)
                    time.pass(ms: 10_000)
                    #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == nil)
                }
            }
        }
    }

    @Test(arguments: [Milliseconds.max, Milliseconds(1 << 60), -5]) func `a stamp that no hub has written is of now, or of long ago`(
        stampMs: Milliseconds
    ) throws {
        try withFolder { (folder) throws in
            let time = HandClock(0)
            try withStore(in: folder, nowMs: time.read) { (file) throws in
                try file.commit([Change(room: living, answer: answer("k-1"), revision: 1)])
                try file.database.run("UPDATE answer SET clock_ms = ?", [.int(stampMs.count)])
            }
            try withStore(in: folder, nowMs: time.read) { (file) throws in
                time.pass(ms: 600_001)
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == nil)
            }
        }
    }

    @Test(arguments: [1, 1_700_000_000_000, 4_000_000_000_000]) func `answers that bear the wall clock's time count as new`(
        atMs: Milliseconds
    )
        throws
    {
        try withFolder { (folder) throws in
            try withStore(in: folder) { _ in }
            let path = folder + "/state.db"
            try FileManager.default.removeItem(atPath: path)
            let old = try Database(path)
            try Schema(steps: Array(Schema.state.steps.prefix(5))).migrate(old)
            try old.execute("INSERT INTO journal VALUES (1, 'e1', 0, 1, '')")
            try old.run(
                "INSERT INTO answer (device, key, hash, answer, at_ms) VALUES ('d_1', 'k-1', 7, ?, ?)",
                [.blob(Array(#"{"t":"res","id":17,"ok":1,"st":"applied"}"#.utf8)), .int(atMs.count)])
            old.close()
            let time = HandClock(77)

            try withStore(in: folder, nowMs: time.read) { (file) throws in
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next)?.reply == Reply(id: 17, .applied()))
                time.pass(ms: 600_001)
                #expect(try file.answer(device: "d_1", key: "k-1", to: .next) == nil)
            }
        }
    }
}

extension StateFile {
    fileprivate func storedAnswers() throws -> Int { try database.first("SELECT count(*) FROM answer") { $0.int(0) } ?? 0 }
}
