/// A folder of its own for each test, and values to put into it.
import BatonCore
import BatonSeams
import Foundation

@testable import Store

func withFolder<Result>(in place: String = NSTemporaryDirectory(), _ body: (String) throws -> Result) throws -> Result {
    let path = place + "baton-store-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// Opens the store, lends it, closes it.
func withStore<Result>(in path: String, epoch: String = "e1", boot: String = "b1", _ body: (StateFile) throws -> Result) throws -> Result {
    let file = try StateFile(in: DataFolder(path), freshEpoch: epoch, boot: boot)
    defer { file.close() }
    return try body(file)
}

let living = RoomRow(id: RoomID("living"), name: "Living room")

func entry(_ number: UInt64, _ title: String = "A title") -> EntryRow {
    EntryRow(id: EntryID(number), uri: ItemURI("file:track/\(number).flac"), tags: Tags(title: title), addedAtMs: 1)
}

func entries(_ numbers: some Sequence<UInt64>) -> [EntryRow] { numbers.map { entry($0) } }

extension StateFile {
    /// One change of the living room's queue.
    func commit(_ delta: QueueDelta, revision: Int = 1) throws(JournalFault) {
        try commit([Change(room: living, queue: [delta], revision: revision)])
    }

    func queue() throws(JournalFault) -> [UInt64] { try load().rooms.first?.entries.map(\.id.number) ?? [] }
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
