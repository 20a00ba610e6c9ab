import BatonCore
import BatonSeams

/// Finds a continuation for a track whose bytes have stopped: another place of it, or its own server when that is back in
/// time.
///
/// A place with the same bytes continues in the middle of them. A place with another encoding continues at the time up to
/// which the player has sound, and the player does that (`PlayerEngine.goOn`).
@Loop
final class StreamRecovery {
    enum Found {
        case bytes(any ByteSource)
        /// The player continues with another place; these bytes end here.
        case elsewhere
    }

    private let item: PlayerOrder.Item
    private let name: String
    private let others: @Loop () -> [ItemURI]
    private let sources: Sources
    private let reactor: any Reactor
    /// Gives another place to the player; false when the player has no use for it.
    private let goOn: @Loop (Playable) async -> Bool

    private var nextLookUs: Microseconds = 0
    private static let betweenLooksUs: Microseconds = 5_000_000
    private static let patienceUs: Microseconds = 30_000_000
    /// Pause between checks. It is short, since a player that closes the track waits for it.
    private static let pause = Duration.milliseconds(100)
    private static let pausesBetweenTries = 5

    init(
        of item: PlayerOrder.Item, named name: String, others: @escaping @Loop () -> [ItemURI], _ sources: Sources, _ reactor: any Reactor,
        goOn: @escaping @Loop (Playable) async -> Bool
    ) {
        self.item = item
        self.name = name
        self.others = others
        self.sources = sources
        self.reactor = reactor
        self.goOn = goOn
    }

    func recover(from fault: SourceFault, at seam: StreamSeam, length: Int64?) async throws(SourceFault) -> Found {
        let untilUs = reactor.nowUs + Self.patienceUs
        if let found = await lookElsewhere(at: seam, length: length) { return found }
        var pauses = 0
        while reactor.nowUs < untilUs, !Task.isCancelled {
            await reactor.wait(Self.pause)
            pauses += 1
            guard pauses % Self.pausesBetweenTries == 1 else { continue }
            sources.checkIfDown(item.uri)
            guard let place = try? await sources.resolve(item.uri, trust: item.trust) else { continue }
            if let found = await use(place, at: seam, length: length) { return found }
        }
        if Task.isCancelled { throw .cancelled }
        throw SourceFault(.unavailable, "“\(name)” cannot be played on: \(fault.sentence)")
    }

    /// Looks for another place while a stalled server may still continue; `nil` when there is none. The search is limited to
    /// once in a while.
    func leave(at seam: StreamSeam, length: Int64?) async -> Found? {
        guard reactor.nowUs >= nextLookUs else { return nil }
        nextLookUs = reactor.nowUs + Self.betweenLooksUs
        return await lookElsewhere(at: seam, length: length)
    }

    private func lookElsewhere(at seam: StreamSeam, length: Int64?) async -> Found? {
        if let kept = await sources.kept(item.uri), let found = await use(kept, at: seam, length: length) { return found }
        for uri in others() {
            guard let place = try? await sources.playable(of: uri, trust: item.trust) else { continue }
            if let found = await use(place, at: seam, length: length) { return found }
        }
        return nil
    }

    private func use(_ place: Playable, at seam: StreamSeam, length: Int64?) async -> Found? {
        if place.startMs == nil, let bytes = place.bytes(in: sources.blockingPool), await seam.fits(bytes, length) { return .bytes(bytes) }
        return await goOn(place) ? .elsewhere : nil
    }
}

extension Playable {
    /// The readable bytes of the location; `nil` for one that only the player opens.
    func bytes(in blockingPool: any TaskExecutor) -> (any ByteSource)? {
        switch location {
        case .file(let file): FileBytes(file.content, blockingPool: blockingPool)
        case .bytes(let bytes): bytes.content
        case .url, .parts: nil
        }
    }
}

extension Reactor {
    @Loop
    fileprivate func wait(_ time: Duration) async {
        await withCheckedContinuation { waiting in _ = after(time) { waiting.resume() } }
    }
}
