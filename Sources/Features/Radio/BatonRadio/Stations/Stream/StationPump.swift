/// Copies a station's sound from its connection to its ring, and reconnects after faults, while the ring has readers.
import BatonSeams

struct StationPump: Sendable {
    let ring: any StreamRing
    let opening: StationOpening

    /// About two minutes of attempts, after which the station counts as gone.
    private static let mostTries = 16
    /// Bytes after which a connection counts as a success.
    private static let goodBytes = 32 * 1024

    /// The pause before an attempt: a quarter of a second, doubled each time, at most ten seconds.
    static func pause(after tries: Int) -> Duration { .milliseconds(min(10_000, 250 << min(tries, 6))) }

    /// Runs until the last reader leaves, the stream ends, or the station is gone.
    func run(_ first: any StationFeed) async {
        await withDiscardingTaskGroup { group in
            // A task of its own writes the buffer, so that a slow disk does not delay the sound.
            group.addTask { await ring.record() }
            await receive(first)
            group.cancelAll()
        }
    }

    private func receive(_ first: any StationFeed) async {
        var feed: (any StationFeed)? = first
        var tries = 0
        var received = 0
        while !Task.isCancelled, await ring.untilWanted() {
            guard let current = feed else {
                try? await Task.sleep(for: Self.pause(after: tries))
                tries += 1
                do throws(SourceFault) {
                    guard case .feed(let next, _) = try await opening.open() else {
                        throw SourceFault(.failed, "It is no station any more.")
                    }
                    feed = next
                } catch {
                    guard tries < Self.mostTries else { return ring.end(error) }
                }
                received = 0
                continue
            }
            if let piece = try? await current.next() {
                received += piece.sound.count
                if received >= Self.goodBytes { tries = 0 }
                ring.append(piece)
            } else {
                await current.cancel()
                if await current.isOver { return ring.end(nil) }
                feed = nil
            }
        }
        await feed?.cancel()
        ring.end(nil)
    }
}
