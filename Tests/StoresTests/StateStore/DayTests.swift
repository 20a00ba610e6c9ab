/// What a day of use leaves behind.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct DayTests {
    private static let isSlow = ProcessInfo.processInfo.environment["BATON_SLOW"].map { !$0.isEmpty && $0 != "0" } ?? false
    /// A day, or with less time half an hour.
    private static let seconds = isSlow ? 86_400 : 1_800

    @Test func `a command a second, all day, leaves a small file`() throws {
        try withFolder { folder in
            var random = SeededGenerator(24)
            var order: [UInt64] = []
            var largest = 0
            let time = HandClock(0)
            try withStore(in: folder, nowMs: time.read) { file in
                for second in 0..<Self.seconds {
                    time.pass(ms: 1_000)
                    let changes = edit(&order, second, &random)
                    var room = living
                    room.level = second % 50
                    let answer = StoredAnswer(
                        device: "device-\(second % 3)", key: "key-\(second)", hash: UInt64(second),
                        reply: reply("a key that was answered, and about as long as such an answer usually is"))
                    try file.commit([
                        Change(room: room, queue: changes.map { QueueStep($0, result: queue(order)) }, answer: answer, revision: second)
                    ])
                    // In a day the disk has long done its part when the next command comes.
                    file.checkpointer.finish()
                    if second.isMultiple(of: 60) { largest = max(largest, try size(of: folder)) }
                }
                #expect(try file.queue() == order)
            }

            var times: [Duration] = []
            for _ in 0..<5 {
                let began = ContinuousClock.now
                try withStore(in: folder) { file in
                    let found = try file.load()
                    times.append(ContinuousClock.now - began)
                    #expect(found.rooms.first?.queue.entries.map(\.id.number) == order)
                }
            }

            print("\(Self.seconds) commands: \(largest / 1024) KiB at the most, opened in \(times.min()!) with \(order.count) entries")
            #expect(largest < 20 << 20)
        }
    }

    /// What a household does to a queue: mostly skipping and turning the volume, a fifth of it edits.
    private func edit(_ order: inout [UInt64], _ second: Int, _ random: inout SeededGenerator) -> [QueueChange]? {
        switch second % 20 {
        case 0, 7:
            let new = (0..<UInt64(random.next() % 12 + 1)).map { UInt64(second) * 16 + $0 + 1 }
            let index = order.isEmpty ? 0 : Int(random.next() % UInt64(order.count))
            defer { order.insert(contentsOf: new, at: index) }
            return [.inserted(entries(new), after: index == 0 ? nil : EntryID(order[index - 1]))]
        case 3 where order.count > 500:
            defer { order.removeFirst(200) }
            let gone = order.prefix(200).map { EntryID($0) }
            return [.removed(gone), .forgotten(gone)]
        case 11 where order.count > 2:
            defer { order.insert(order.removeLast(), at: 0) }
            return [.moved([EntryID(order.last!)], after: nil)]
        default:
            return nil
        }
    }

    private func size(of folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, name in
            sum + (try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.size] as? Int ?? 0)
        }
    }
}
