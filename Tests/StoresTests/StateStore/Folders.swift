/// A state file for each test, and values to put into it.
import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import SQLite

@testable import Stores

/// Opens the store, lends it, closes it.
func withStore<Result>(
    in path: String, epoch: String = "e1", boot: String = "b1", nowMs: @escaping @Sendable () -> Milliseconds = { Clock.system.nowMs },
    _ body: (StateFile) throws -> Result
) throws -> Result {
    let clock = Clock(nowUs: { Microseconds(nowMs()) }, wallUs: { Clock.system.wallUs })
    let file = try StateFile(in: DataFolder(path), freshEpoch: epoch, boot: boot, clock: clock)
    defer { file.close() }
    return try body(file)
}

let living = RoomRow(id: RoomID("living"), name: "Living room")

/// An answer that is as long as the name of its outcome makes it.
func reply(_ outcome: String = "o_1") -> Reply { Reply(id: 17, .unrecognised(outcome)) }

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

    /// Steps from the order that is stored.
    func step(_ changes: QueueChange...) -> QueueStep {
        var order = ((try? storedQueue(of: living.id, rows: [:]))?.order ?? []).map(\.number)
        for change in changes { order.follow(change) }
        return QueueStep(changes, result: StoresTests.queue(order))
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

extension Database {
    /// Makes the file one of an earlier format: without the columns that later steps have added to its tables.
    func goBack(to version: Int) throws {
        let old = try Database(":memory:")
        defer { old.close() }
        try Schema(steps: Array(Schema.state.steps.prefix(version))).migrate(old)
        for table in try old.words("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            let columns = "SELECT name FROM pragma_table_info('\(table)')"
            let kept = try old.words(columns)
            let present = try words(columns)
            for added in present where !kept.contains(added) { try execute("ALTER TABLE \(table) DROP COLUMN \(added)") }
            for gone in kept where !present.contains(gone) {
                try execute("ALTER TABLE \(table) ADD COLUMN \(gone) TEXT NOT NULL DEFAULT ''")
            }
        }
        try execute("PRAGMA user_version = \(version)")
    }

    /// The first column of each row.
    func words(_ question: String) throws -> [String] {
        var words: [String] = []
        try each(question) { words.append($0.text(0)) }
        return words
    }
}
