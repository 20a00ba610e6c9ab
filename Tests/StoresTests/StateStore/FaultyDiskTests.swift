/// Each step that the store takes on the disk, made to fail in its turn.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

/// One at a time, because there is one disk that fails.
@Suite(.serialized) struct FaultyDiskTests {
    /// Hundreds of lives, of which none depends on how long a disk takes.
    private let quick = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()

    /// How many operations in a row fail: one, or so many that several commands meet them.
    @Test(arguments: [1, 40]) func `whatever fails on the disk, a change is kept whole or not at all, and the store recovers`(
        width: Int
    ) throws {
        try withFolder(in: quick) { base in
            try withStore(in: base) { try $0.commit([Edits.first]) }
            var failures = 0
            var number = 0
            while true {
                let met = try withFolder(in: quick) { folder in
                    try FileManager.default.copyItem(atPath: base, toPath: folder)
                    return try live(in: folder, failing: number..<number + width)
                }
                guard met > 0 else { break }
                failures += met
                // The first of many that fail say the same as the second.
                number += width == 1 ? 1 : 11
            }
            #expect(number > 100, "The disk was asked \(number) times.")
            #expect(width > 1 || failures == number)
        }
    }

    /// A hub's life on a disk that fails at these operations. Gives back how many of them there were.
    private func live(in folder: String, failing: Range<Int>) throws -> Int {
        FaultyDisk.watch(folder, failing: failing)
        defer { FaultyDisk.mend() }
        var kept = Edits()
        let (file, metAtOpening) = try open(folder)
        defer { file.close() }

        for number in 1...Self.count {
            let (change, after) = kept.next(number)
            let fault = fault { try file.commit([change]) }
            if let fault {
                #expect(fault.sentence.contains(folder), "\(fault)")
                #expect([.full, .failed, .readOnly, .busy].contains(fault.code), "\(failing): \(fault)")
                #expect(file.health.trouble == fault)
            } else {
                kept = after
            }
            // The log is moved now and then, and starts over.
            if number.isMultiple(of: 4) { try? file.database.execute("PRAGMA wal_checkpoint(RESTART)") }
        }

        let met = metAtOpening + FaultyDisk.mend().failures
        try expectKept(kept, in: file, failing)
        let (change, after) = kept.next(Self.last)
        try file.commit([change])
        #expect(file.health.trouble == nil)
        try expectKept(after, in: file, failing)
        try withFolder(in: quick) { copy in
            // What the disk holds while the store is open is what a kill leaves behind.
            try FileManager.default.copyItem(atPath: folder, toPath: copy)
            try withStore(in: copy, epoch: "e2") { try expectKept(after, in: $0, failing) }
        }
        return met
    }

    /// A hub that cannot open its store says why and does not start; nothing is set aside for that.
    private func open(_ folder: String) throws -> (StateFile, met: Int) {
        let path = try DataFolder(folder)
        do {
            return (try StateFile(in: path, freshEpoch: "e2", boot: "b1"), 0)
        } catch {
            #expect(error.sentence.contains(folder), "\(error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.contains("damaged") }, "\(error)")
        }
        // Started again when the disk is well, as its owner would.
        let met = FaultyDisk.mend().failures
        FaultyDisk.watch(folder, failing: 0..<0)
        #expect(met > 0)
        return (try StateFile(in: path, freshEpoch: "e2", boot: "b1"), met)
    }

    private static let count = 9
    private static let last = 101

    private func expectKept(_ kept: Edits, in file: StateFile, _ failing: Range<Int>) throws {
        let found = try file.load()
        #expect(found.epoch == "e1")
        try #require(found.rooms.first?.queue.entries.map(\.id.number) == kept.order, "\(failing)")
        #expect(found.rooms.first?.room.level == kept.level, "\(failing)")
        for number in Array(1...Self.count) + [Self.last] {
            let answer = try file.answer(device: "d", key: "key-\(number)", to: .next)
            #expect((answer != nil) == kept.answered.contains(number), "\(failing): key-\(number)")
        }
    }
}

/// What a store that loses nothing holds, and the changes that lead there.
private struct Edits {
    var order = Array(UInt64(1)...40)
    var level = living.level
    var answered: Set<Int> = []

    static var first: Change { Change(room: living, queue: QueueStep([.replaced(entries(1...40))], result: queue(1...40)), revision: 1) }

    /// Each kind of change in its turn, with a key and its answer.
    func next(_ number: Int) -> (Change, Edits) {
        var after = self
        var room = living
        room.level = number
        let new = UInt64(number * 100)..<UInt64(number * 100 + 30)
        let step: QueueChange
        switch number % 4 {
        case 0:
            step = .removed(order.prefix(3).map { EntryID($0) })
            after.order.removeFirst(3)
        case 1:
            step = .inserted(entries(new), after: EntryID(order[4]))
            after.order.insert(contentsOf: new, at: 5)
        case 2:
            step = .moved([EntryID(order[20]), EntryID(order[3])], after: nil)
            after.order = [order[20], order[3]] + order.filter { ![order[20], order[3]].contains($0) }
        default:
            step = .replaced(entries(new))
            after.order = Array(new)
        }
        after.level = number
        after.answered.insert(number)
        let answer = StoredAnswer(device: "d", key: "key-\(number)", hash: 1, reply: reply(String(repeating: "7", count: 900)))
        return (Change(room: room, queue: QueueStep([step], result: queue(after.order)), answer: answer, revision: number * 10), after)
    }
}
