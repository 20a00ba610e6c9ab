/// What takes an edit back is stored with the edit, and the rows it needs as long as it can.
import BatonCore
import BatonSeams
import Harness
import SQLite
import Testing

@testable import Stores

struct UndoTests {
    private func undo(_ taken: ClosedRange<UInt64>, brought: [EntryID] = []) -> Undo {
        Undo(
            runs: [Undo.Run(after: nil, ids: taken.map { EntryID($0) }), Undo.Run(after: EntryID(900), ids: [])],
            unshuffled: [Undo.Run(after: EntryID(7), ids: taken.reversed().map { EntryID($0) })], taken: entries(taken), brought: brought,
            current: EntryID(2), positionMs: 93_000, successor: nil, newest: .max)
    }

    private func cleared(_ range: ClosedRange<UInt64>, number: Int = 1) -> QueueHistory {
        QueueHistory([
            QueueEdit(number: number, kind: .add, author: nil, atMs: 1, steadyMs: 0, count: range.count),
            QueueEdit(number: number + 1, kind: .clear, author: "Ana", atMs: 2, steadyMs: 1, count: range.count, undo: undo(range)),
        ])
    }

    private func clear(_ range: ClosedRange<UInt64>, in file: StateFile) throws {
        try file.commit(.replaced(entries(range)))
        let step = QueueStep([.replaced([])], result: queue([], history: cleared(range)))
        try file.commit([Change(room: living, queue: step, revision: 2)])
    }

    private func rows(_ file: StateFile) throws -> Int { try file.database.first("SELECT count(*) FROM entry") { $0.int(0) } ?? -1 }

    @Test func `an edit that can be taken back comes back whole`() throws {
        try withFolder { folder in
            try withStore(in: folder) { try clear(1...3, in: $0) }

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue }

            #expect(found.isEmpty)
            #expect(found.history == cleared(1...3))
            #expect(found.history.undoable?.author == "Ana")
        }
    }

    @Test func `edits of a file from before they had a steady clock count as new`() throws {
        try withFolder { folder in
            let time = HandClock(5_000)
            try withStore(in: folder, nowMs: time.read) { try clear(1...3, in: $0) }
            let old = try Database(folder + "/state.db")
            try old.goBack(to: 8)
            old.close()

            let (edits, nowMs) = try withStore(in: folder, nowMs: time.read) {
                (try $0.load().rooms[0].queue.history.edits, $0.answerClock.nowMs)
            }

            #expect(edits.map(\.atMs) == [1, 2] && edits.last?.undo != nil)
            #expect(edits.map(\.steadyMs) == [nowMs, nowMs])
        }
    }

    @Test func `a clock that means nothing makes an edit old and nothing worse`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try clear(1...3, in: file)
                try file.database.run("UPDATE edit SET clock_ms = ?", [.int(Int64.min)])

                #expect(try file.load().rooms[0].queue.history.edits.map(\.steadyMs) == [0, 0])
            }
        }
    }

    @Test func `taking it back writes no row again, and the edit stays for people to see`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try clear(1...300, in: file)
                var edits = cleared(1...300).edits
                edits[1].undo = nil
                edits.append(QueueEdit(number: 3, kind: .undo, author: nil, atMs: 3, steadyMs: 1, count: 300))
                let back = queue(1...300, history: QueueHistory(edits))
                try file.commit([Change(room: living, queue: QueueStep([.restored(back.entries, after: nil)], result: back), revision: 3)])

                #expect(try file.queue() == Array(1...300))
                #expect(try file.load().rooms[0].queue.history.edits == edits)
            }
        }
    }

    @Test func `what nobody can bring back goes some at a time, and what was still to go goes after a restart`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try clear(1...300, in: file)
                try file.commit([
                    Change(room: living, queue: QueueStep([.forgotten((1...300).map { EntryID($0) })], result: queue([])), revision: 3)
                ])
                #expect(try (1..<300).contains(rows(file)))
                for _ in 0..<3 { try file.commit([Change(room: living, revision: 4)]) }
                #expect(try rows(file) > 0)
            }
            try withStore(in: folder) { file in
                _ = try file.load()
                for _ in 0..<5 { try file.commit([Change(room: living, revision: 5)]) }
                #expect(try rows(file) == 0)
            }
        }
    }

    @Test func `a forgotten room's rows go, those its edits held too`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try clear(1...10, in: file)
                let two = queue([11, 12], history: cleared(1...10))
                try file.commit([Change(room: living, queue: QueueStep([.inserted(two.entries, after: nil)], result: two), revision: 3)])
                #expect(try rows(file) == 12)

                try file.commit([Change(forgetting: living.id, revision: 4)])

                #expect(try rows(file) == 0)
                #expect(try file.load().rooms.isEmpty)
            }
        }
    }
}
