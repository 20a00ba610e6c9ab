import BatonCore
import Foundation

private let firstSeed = ProcessInfo.processInfo.environment["BATON_SEED"].flatMap(UInt64.init) ?? 0
private let seedCount = ProcessInfo.processInfo.environment["BATON_SEEDS"].flatMap(UInt64.init) ?? 200
/// The seeds of a property: `BATON_SEED` names the first, or it is 0, and `BATON_SEEDS` says how many, or 200. A failing test names its seed.
let seeds = firstSeed..<firstSeed + seedCount

extension SeededGenerator {
    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }
    mutating func one<Element>(of choices: [Element]) -> Element { choices[number(0..<choices.count)] }
    mutating func some<Element>(of choices: [Element], atMost limit: Int) -> [Element] {
        Array(choices.shuffled(using: &self).prefix(number(0..<limit + 1)))
    }
}

/// A copy of a queue that is brought up to date by its changes alone.
struct MirroredQueue: Equatable {
    var ids: [EntryID] = []
    var current: EntryID?

    mutating func follow(_ change: QueueChange) {
        switch change {
        case .inserted(let entries, let anchor): ids.insert(contentsOf: entries.map(\.id), at: place(behind: anchor))
        case .removed(let gone): ids.removeAll { gone.contains($0) }
        case .moved(let moved, let anchor):
            ids.removeAll { moved.contains($0) }
            ids.insert(contentsOf: moved, at: place(behind: anchor))
        case .replaced(let entries): ids = entries.map(\.id)
        case .current(let entry): current = entry
        case .restored(let entries, let anchor): ids.insert(contentsOf: entries.map(\.id), at: place(behind: anchor))
        case .described, .forgotten: break
        }
    }

    private func place(behind anchor: EntryID?) -> Int {
        guard let anchor else { return 0 }
        guard let at = ids.firstIndex(of: anchor) else { fatalError("\(anchor) is an anchor and not there") }
        return at + 1
    }
}

extension MirroredQueue {
    init(_ queue: PlaybackQueue) { self.init(ids: queue.entries.map(\.id), current: queue.current) }
}
