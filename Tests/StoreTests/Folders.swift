/// A folder of its own for each test, and values to put into it.
import BatonCore
import BatonSeams
import Foundation
import Synchronization

@testable import Store

func withFolder<Result>(in place: String = NSTemporaryDirectory(), _ body: (String) throws -> Result) throws -> Result {
    let path = place + "baton-store-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// Opens the store, lends it, closes it.
func withStore<Result>(
    in path: String, epoch: String = "e1", boot: String = "b1", nowMs: @escaping @Sendable () -> Int64 = KernelClock.monotonicMs,
    _ body: (StateFile) throws -> Result
) throws -> Result {
    let file = try StateFile(in: DataFolder(path), freshEpoch: epoch, kernel: KernelClock(boot: boot, nowMs: nowMs))
    defer { file.close() }
    return try body(file)
}

let living = RoomRow(id: RoomID("living"), name: "Living room")

func entry(_ number: UInt64, _ title: String = "A title") -> QueueEntry {
    QueueEntry(id: EntryID(number), uri: ItemURI("file:track/\(number).flac"), tags: Tags(title: title), addedAtMs: 1)
}

func entries(_ numbers: some Sequence<UInt64>) -> [QueueEntry] { numbers.map { entry($0) } }

func queue(_ numbers: some Sequence<UInt64>, unshuffled: [EntryID]? = nil, history: QueueHistory = QueueHistory()) -> PlaybackQueue {
    PlaybackQueue(entries: entries(numbers), current: nil, revision: 0, unshuffled: unshuffled, history: history)
}

extension [UInt64] {
    /// An order of entries after one step.
    mutating func follow(_ change: QueueChange) {
        switch change {
        case .inserted(let new, let anchor), .restored(let new, let anchor):
            insert(contentsOf: new.map(\.id.number), at: place(behind: anchor))
        case .removed(let gone): removeAll { gone.contains(EntryID($0)) }
        case .moved(let ids, let anchor):
            removeAll { ids.contains(EntryID($0)) }
            insert(contentsOf: ids.map(\.number), at: place(behind: anchor))
        case .replaced(let new): self = new.map(\.id.number)
        case .described, .current, .forgotten: break
        }
    }

    private func place(behind anchor: EntryID?) -> Int { anchor.flatMap { firstIndex(of: $0.number) }.map { $0 + 1 } ?? 0 }
}

extension StateFile {
    /// One change of the living room's queue.
    func commit(_ change: QueueChange, revision: Int = 1) throws(JournalFault) {
        try commit([Change(room: living, queue: step(change), revision: revision)])
    }

    /// Steps from the order that is kept.
    func step(_ changes: QueueChange...) -> QueueStep {
        var order = ((try? keptQueue(of: living.id, rows: [:]))?.order ?? []).map(\.number)
        for change in changes { order.follow(change) }
        return QueueStep(changes, result: StoreTests.queue(order))
    }

    func queue() throws(JournalFault) -> [UInt64] { try load().rooms.first?.queue.entries.map(\.id.number) ?? [] }
}

/// The fault that `body` throws, if it throws one.
func fault(_ body: () throws -> Void) -> JournalFault? {
    do {
        try body()
        return nil
    } catch {
        return error as? JournalFault
    }
}

/// A small generator with a seed that a failure can name.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A kernel's clock that moves when it is told to.
final class HandClock: Sendable {
    private let ms: Atomic<Int64>

    init(_ ms: Int64) { self.ms = Atomic(ms) }

    func pass(ms: Int64) { self.ms.wrappingAdd(ms, ordering: .relaxed) }
    var read: @Sendable () -> Int64 { { self.ms.load(ordering: .relaxed) } }
}
