import BatonCore
package import BatonSeams

/// Finds how a track goes on whose bytes have stopped: at another place of it, else at its own server when that is back in time.
///
/// A place with the very same bytes takes over in the middle of them. One with another encoding takes over at the time up to which
/// the player holds sound, which is the player's part (`PlayerEngine.goOn`).
@Loop
final class StreamRecovery {
    package enum Found {
        case bytes(any ByteSource)
        /// The player has another place to go on with; these bytes end here.
        case elsewhere
    }

    private let item: PlayerOrder.Item
    private let name: String
    private let others: @Loop () -> [ItemURI]
    private let sources: Sources
    private let reactor: any Reactor
    /// Hands another place to the player; false when the player has no use for it.
    private let goOn: @Loop (Playable) async -> Bool

    private var nextLookUs: Int64 = 0
    private static let betweenLooksUs: Int64 = 5_000_000
    private static let patienceUs: Int64 = 30_000_000
    /// Short, since a player that gives the track up waits for it.
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

    func recover(_ fault: SourceFault, _ seam: StreamSeam, _ length: Int64?) async throws(SourceFault) -> Found {
        let untilUs = reactor.nowUs + Self.patienceUs
        if let found = await lookElsewhere(seam, length) { return found }
        var pauses = 0
        while reactor.nowUs < untilUs, !Task.isCancelled {
            await reactor.wait(Self.pause)
            pauses += 1
            guard pauses % Self.pausesBetweenTries == 1 else { continue }
            sources.checkIfDown(item.uri)
            guard let place = try? await sources.resolve(item.uri, trust: item.trust) else { continue }
            if let found = await use(place, seam, length) { return found }
        }
        if Task.isCancelled { throw .cancelled }
        throw SourceFault(.unavailable, "“\(name)” cannot be played on: \(fault.sentence)")
    }

    /// For a server that has stalled and may yet go on: no other place is `nil`, and it is not looked for too often.
    package func leave(_ seam: StreamSeam, _ length: Int64?) async -> Found? {
        guard reactor.nowUs >= nextLookUs else { return nil }
        nextLookUs = reactor.nowUs + Self.betweenLooksUs
        return await lookElsewhere(seam, length)
    }

    private func lookElsewhere(_ seam: StreamSeam, _ length: Int64?) async -> Found? {
        if let kept = await sources.kept(item.uri), let found = await use(kept, seam, length) { return found }
        for uri in others() {
            guard let place = try? await sources.playable(of: uri, trust: item.trust) else { continue }
            if let found = await use(place, seam, length) { return found }
        }
        return nil
    }

    private func use(_ place: Playable, _ seam: StreamSeam, _ length: Int64?) async -> Found? {
        if place.startMs == nil, let bytes = place.bytes(in: sources.blockingPool), await seam.fits(bytes, length) { return .bytes(bytes) }
        return await goOn(place) ? .elsewhere : nil
    }
}

extension Playable {
    /// What can be read of it; `nil` for what only the player opens.
    package func bytes(in blockingPool: any TaskExecutor) -> (any ByteSource)? {
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
