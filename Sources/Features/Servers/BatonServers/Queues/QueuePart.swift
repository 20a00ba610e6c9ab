import BatonCore
import BatonKernel
import BatonSeams

/// The part of a room's queue that one server can store: its own tracks in order, the current one, and the position. A value.
struct QueuePart: Equatable {
    let uris: [ItemURI]
    let current: ItemURI
    let positionMs: Milliseconds
    /// Number of entries that belong to other sources, or exceed the limit.
    let passed: Int

    /// Limit on tracks, which is the limit of servers.
    static let most = 1_000
    /// Number of tracks before the current one, in a longer queue.
    private static let before = 100

    /// The part for this source; `nil` when no entry belongs to it.
    init?(_ queue: PlaybackQueue, positionMs: Milliseconds, of source: String) {
        let scheme = Array("\(source):track/".utf8)
        var own: [ItemURI] = []
        var place: Int?
        var isCurrent = false
        for (index, entry) in queue.entries.enumerated() where entry.uri.text.utf8.starts(with: scheme) {
            if place == nil, let current = queue.currentIndex, index >= current {
                place = own.count
                isCurrent = index == current
            }
            own.append(entry.uri)
        }
        guard !own.isEmpty else { return nil }
        let at = place ?? 0
        let start = max(0, min(at - Self.before, own.count - Self.most))
        uris = Array(own[start...].prefix(Self.most))
        current = own[at]
        self.positionMs = isCurrent ? positionMs : 0
        passed = queue.count - uris.count
    }

    var note: WriteBack { .queue(uris, current: current, ms: positionMs) }
}

/// A hash of a queue, which tells the queue that this hub saved at a server from one that another player saved. Stored as
/// text.
struct QueueMark: Equatable {
    private let hash: UInt64
    private let positionMs: Milliseconds
    /// Tolerance of the position, since servers may store whole seconds.
    private static let toleranceMs: Milliseconds = 1000

    init(_ uris: [ItemURI], current: ItemURI?, ms: Milliseconds) {
        hash = ([current?.text ?? ""] + uris.map(\.text)).reduce(0xCBF2_9CE4_8422_2325) { hash, text in
            // FNV-1a. Between two texts it hashes a byte that is in no text.
            text.utf8.reduce((hash ^ 0xFF) &* 0x100_0000_01B3) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        positionMs = ms
    }

    init(_ saved: SavedQueue) {
        let current = saved.current.flatMap { saved.entries.indices.contains($0) ? $0 : nil } ?? 0
        self.init(saved.entries.map(\.uri), current: saved.entries.isEmpty ? nil : saved.entries[current].uri, ms: saved.positionMs)
    }

    init?(text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let hash = UInt64(parts[0], radix: 16), let positionMs = Milliseconds(parts[1]) else { return nil }
        self.hash = hash
        self.positionMs = positionMs
    }

    var text: String { "\(String(hash, radix: 16)) \(positionMs)" }

    func isOf(_ other: QueueMark) -> Bool {
        let apart = positionMs.count.subtractingReportingOverflow(other.positionMs.count)
        return hash == other.hash && !apart.overflow && apart.partialValue.magnitude <= Self.toleranceMs.count
    }
}
