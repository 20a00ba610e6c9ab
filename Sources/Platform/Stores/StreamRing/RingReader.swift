/// A reader of a station. Its positions begin at 0 where it joined the ring. Releasing it leaves the ring.
///
/// One task reads at a time, as players do.
import BatonCore
import BatonSeams
import Synchronization

final class RingReader: TitledBytes {
    let length: Int64? = nil
    let hasRanges = false
    let version: ContentVersion? = nil

    private let ring: MemoryRing
    private let number: Int
    /// Data that a decoder needs before the first byte of the ring.
    private let head: [UInt8]
    /// The position in the ring of a position behind the head. It moves when the reader loses sound.
    private let base: Atomic<Int64>

    init(ring: MemoryRing, number: Int, begin: Int64, head: [UInt8]) {
        self.ring = ring
        self.number = number
        self.head = head
        base = Atomic(begin)
    }

    deinit { ring.leave(number) }

    private func ringPosition(of position: Int64) -> Int64 { base.load(ordering: .relaxed) + position - Int64(head.count) }

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        guard count > 0, position >= 0 else { return [] }
        if position < head.count { return Array(head[Int(position)...].prefix(count)) }
        while true {
            if Task.isCancelled { throw .cancelled }
            let ringPosition = ringPosition(of: position)
            switch ring.read(number, at: ringPosition, count: count) {
            case .bytes(let bytes, let at):
                base.add(at - ringPosition, ordering: .relaxed)
                return bytes
            case .ended(let fault):
                if let fault { throw fault }
                return []
            case .wait: await ring.wait(number, at: ringPosition)
            }
        }
    }

    func title(at position: Int64) -> String? { ring.title(at: ringPosition(of: max(position, Int64(head.count)))) }

    func begin(at point: RewindPoint) async -> (any TitledBytes)? { await ring.join(at: point) }

    var keepsPast: Bool { ring.keepsPast }

    func age(at position: Int64) -> SoundAge? { ring.age(at: ringPosition(of: max(position, Int64(head.count)))) }
}
