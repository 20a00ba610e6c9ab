/// Going back in a station: readers that begin with what was received earlier, and how old the sound is that they read.
import BatonCore
import BatonSeams

extension MemoryRing {
    /// Whether what comes is on disk, too.
    var keepsPast: Bool { disk?.isWriting == true }

    /// A reader that begins there, or with the first that is left after it. `nil` where nothing of that is kept, or the ring is closed.
    func join(at point: PastPoint) async -> (any TitledBytes)? {
        guard let disk else { return nil }
        await disk.untilOpen()
        guard let entry = entry(at: point, disk) else { return nil }
        return state.withLock { state in
            guard !state.isClosed else { return nil }
            return RingReader(ring: self, number: state.newReader(at: entry.at), begin: entry.at, head: entry.head)
        }
    }

    private func entry(at point: PastPoint, _ disk: DiskPast) -> (at: Int64, head: [UInt8])? {
        let found: (at: Int64, head: [UInt8])?
        switch point {
        case .received(let atMs): found = disk.entry(atMs: atMs)
        case .place(let place):
            // What came just now is not on disk yet.
            let recent = state.withLock { $0.window.start <= place ? $0.window.entry(from: place) : nil }
            if let recent { return recent }
            found = disk.entry(from: place)
        }
        return found.flatMap { disk.places.contains($0.at) ? $0 : nil }
    }

    func age(at place: Int64) -> SoundAge? { keepsPast ? disk?.age(at: place) : nil }
}
