/// The key table: Protocol/ 2.6, "Idempotency, expiry, ordering".
import BatonCore
import BatonSeams
import Testing

@testable import Store

struct AnswerTests {
    private func answer(_ key: String, device: String = "d_1", atMs: Int64 = 1_000_000, _ text: String = "{}") -> KeptAnswer {
        KeptAnswer(device: device, key: key, hash: .max - 7, answer: Array(text.utf8), atMs: atMs)
    }

    @Test func `an answer is found again, also after a restart`() throws {
        try withFolder { folder in
            let kept = answer("k-1", #"{"st":"applied"}"#)
            try withStore(in: folder) { try $0.commit([Change(room: living, answer: kept, revision: 1)]) }

            try withStore(in: folder) { (file) throws in
                #expect(try file.answer(device: "d_1", key: "k-1", nowMs: 1_000_100) == kept)
                #expect(try file.answer(device: "d_2", key: "k-1", nowMs: 1_000_100) == nil)
                #expect(try file.answer(device: "d_1", key: "k-2", nowMs: 1_000_100) == nil)
            }
        }
    }

    @Test func `an answer is forgotten after ten minutes and its key is free again`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit([Change(room: living, answer: answer("k-1"), revision: 1)])
                let later: Int64 = 1_000_000 + 600_001

                #expect(try file.answer(device: "d_1", key: "k-1", nowMs: later - 1) != nil)
                #expect(try file.answer(device: "d_1", key: "k-1", nowMs: later) == nil)

                let second = answer("k-1", atMs: later, "second")
                try file.commit([Change(room: living, answer: second, revision: 2)])
                #expect(try file.answer(device: "d_1", key: "k-1", nowMs: later) == second)
            }
        }
    }

    @Test func `each device keeps its last 256 and not many more`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit([Change(room: living, answer: answer("other", device: "d_2"), revision: 1)])
                for number in 1...1_000 {
                    let kept = answer("k-\(number)", atMs: 1_000_000 + Int64(number))
                    try file.commit([Change(room: living, answer: kept, revision: number)])
                }

                for number in 745...1_000 {
                    #expect(try file.answer(device: "d_1", key: "k-\(number)", nowMs: 1_001_000) != nil)
                }
                #expect(try file.answer(device: "d_1", key: "k-700", nowMs: 1_001_000) == nil)
                #expect(try file.answer(device: "d_2", key: "other", nowMs: 1_001_000) != nil)
                #expect(try file.storedAnswers() <= 256 + 32 + 1)
            }
        }
    }

    @Test func `answers of devices that went away leave the file`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                for number in 0..<2_000 {
                    // One a second, each from a device of its own.
                    let kept = answer("k-1", device: "d_\(number)", atMs: 1_000_000 + Int64(number) * 1_000)
                    try file.commit([Change(room: living, answer: kept, revision: number)])
                }

                #expect(try file.storedAnswers() < 700)
            }
        }
    }
}

extension StateFile {
    fileprivate func storedAnswers() throws -> Int { try database.first("SELECT count(*) FROM answer") { $0.int(0) } ?? 0 }
}
