/// Playback of a station's past: readers that start with earlier sound, and the age of their sound.
import BatonCore
import BatonSeams

extension MemoryRing {
    /// Whether received sound is also on disk.
    var keepsPast: Bool { disk?.isWriting == true }

    /// A reader that starts at this point, or at the first stored sound after it. `nil` if none is stored, or the ring is closed.
    func join(at point: RewindPoint) async -> (any TitledBytes)? {
        guard let disk else { return nil }
        await disk.untilOpen()
        guard let entry = entry(at: point, disk) else { return nil }
        return state.withLock { state in
            guard !state.isClosed else { return nil }
            return RingReader(ring: self, number: state.newReader(at: entry.at), begin: entry.at, head: entry.head)
        }
    }

    private func entry(at point: RewindPoint, _ disk: DiskPast) -> (at: Int64, head: [UInt8])? {
        let found: (at: Int64, head: [UInt8])?
        switch point {
        case .received(let atMs): found = disk.entry(atMs: atMs)
        case .position(let position):
            // The newest sound is not on disk yet.
            let recent = state.withLock { $0.window.start <= position ? $0.window.entry(from: position) : nil }
            if let recent { return recent }
            found = disk.entry(from: position)
        }
        return found.flatMap { disk.positions.contains($0.at) ? $0 : nil }
    }

    func age(at position: Int64) -> SoundAge? { keepsPast ? disk?.age(at: position) : nil }
}
