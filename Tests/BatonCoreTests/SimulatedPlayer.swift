import BatonCore

/// A player that does what libmpv does with its orders, in a time that passes when told to.
///
/// It holds the entry that plays and at most one behind it, goes on to that one by itself, and
/// says `ended` only when it has run dry. What it is told to seek before there is sound is where
/// the sound begins. An entry that cannot be opened fails, and what follows takes its place.
struct SimulatedPlayer: Equatable {
    struct LoadedEntries: Equatable {
        let entry: EntryID
        let uri: ItemURI
        var positionMs: Milliseconds
        var hasBegun = false
    }

    private(set) var deck: LoadedEntries?
    private(set) var follower: LoadedEntries?
    private(set) var isPaused = false
    private(set) var isStalled = false
    private(set) var speed = 1000
    private(set) var filters = SoundFilters()
    private(set) var nextRendering = Rendering()
    private(set) var levelling: Levelling?
    private(set) var gain: Double?
    private(set) var wantedStop: PlayerStop?
    private(set) var isFading = false

    /// Both follow from the item, so that the same entry is broken each time.
    static func isBroken(_ uri: ItemURI) -> Bool { uri.text.hasSuffix("7") }
    static func lengthMs(_ uri: ItemURI) -> Milliseconds { 2000 + 500 * (uri.text.utf8.reduce(0) { $0 &+ Int($1) } % 9) }

    mutating func obey(_ order: PlayerOrder) {
        switch order {
        case .load(let entry, let uri, _, let fromMs, let paused, _):
            deck = LoadedEntries(entry: entry, uri: uri, positionMs: fromMs)
            follower = nil
            isStalled = false
            isPaused = paused
        case .follow(let entry, let uri, _): follower = deck == nil ? nil : LoadedEntries(entry: entry, uri: uri, positionMs: 0)
        case .followWithNothing: follower = nil
        case .setPaused(let paused): isPaused = paused
        case .seek(let toMs):
            guard let deck else { return }
            self.deck?.positionMs = min(toMs, Self.lengthMs(deck.uri))
        case .stop: (deck, follower) = (nil, nil)
        case .setGain(let gain): self.gain = gain
        case .setSpeed(let permille): speed = permille
        case .setFilters(let filters): self.filters = filters
        case .setNext(let rendering): nextRendering = rendering
        case .setLevelling(let levelling): self.levelling = levelling
        case .stopAt(let stop): self.wantedStop = stop
        case .fade: isFading = true
        case .endFade: isFading = false
        }
    }

    /// What is loaded is opened now.
    mutating func open() -> [PlayerReport] {
        var reports: [PlayerReport] = []
        while let opening = deck, !opening.hasBegun {
            guard Self.isBroken(opening.uri) else {
                deck?.hasBegun = true
                return reports + [.began(opening.entry)]
            }
            reports.append(.failed(opening.entry, reason: "“\(opening.uri)” cannot be played."))
            goOn()
        }
        return reports
    }

    mutating func play(forMs ms: Milliseconds) -> [PlayerReport] {
        var reports = open()
        var left = ms
        while left > 0, let playing = deck, playing.hasBegun, !isPaused, !isStalled {
            let step = min(left * speed / 1000, Self.lengthMs(playing.uri) - playing.positionMs)
            deck?.positionMs += step
            left -= max(1, step * 1000 / speed)
            guard deck?.positionMs == Self.lengthMs(playing.uri) else { break }
            if follower == nil { reports.append(.ended(playing.entry)) }
            goOn()
            reports += open()
        }
        return reports
    }

    mutating func stall(_ stalls: Bool) -> [PlayerReport] {
        guard let deck, deck.hasBegun, stalls != isStalled else { return [] }
        isStalled = stalls
        return [.buffering(deck.entry, stalls)]
    }

    func line(atUs now: Microseconds) -> [PlayerReport] {
        guard let deck, deck.hasBegun else { return [] }
        return [.line(deck.entry, positionMs: deck.positionMs, atUs: now, rate: isPaused || isStalled ? 0 : speed)]
    }

    private mutating func goOn() {
        deck = follower
        if follower != nil { (speed, filters) = (nextRendering.speed, nextRendering.filters) }
        follower = nil
        isStalled = false
    }
}
