package import BatonCore
package import BatonSeams

/// A player in virtual time that keeps libmpv's promises: it begins what it loads, moves on to the
/// follower without a gap, says that it has ended only when it has run dry, and reports files that
/// cannot be played.
@Loop
package final class SimulatedPlayer: PlayerEngine {
    private let time: any Reactor
    private let report: @Loop (PlayerReport) -> Void
    /// Paths that cannot be played.
    package var broken: Set<String> = []
    package var trackMs: Milliseconds = 180_000
    /// What each entry is told to have when it begins; with none nothing is told.
    package var chapters: [ChapterList.Mark] = []
    /// Hears what it is told to do.
    package var onOrder: ((String) -> Void)?
    package private(set) var playing: EntryID?
    package private(set) var isPaused = false
    package private(set) var gain = 1.0
    package private(set) var levelling = Levelling()
    package private(set) var wantedStop: PlayerStop?
    package private(set) var isFading = false
    package private(set) var speed = 1000
    package private(set) var filters = SoundFilters()
    private var next = Rendering()
    package private(set) var begun: [EntryID] = []
    /// What it was told to load last.
    package private(set) var loaded: Playable?
    private var follower: (entry: EntryID, playable: Playable)?
    private var positionMs: Milliseconds = 0
    private var sinceUs: Microseconds = 0
    private var ending: (any Alarm)?
    private var generation = 0
    /// Where the entry that is being loaded will begin.
    private var beginsAtMs: Milliseconds?

    package init(time: any Reactor, report: @escaping @Loop (PlayerReport) -> Void) {
        self.time = time
        self.report = report
    }

    package func load(_ playable: Playable, as entry: EntryID, fromMs: Milliseconds, paused: Bool) {
        onOrder?("load \(entry) from \(fromMs) paused \(paused)")
        loaded = playable
        isFading = false
        ending?.cancel()
        follower = nil
        isPaused = paused
        beginsAtMs = fromMs
        generation += 1
        let mine = generation
        _ = time.after(.milliseconds(15)) { [weak self] in
            guard let self, self.generation == mine else { return }
            let start = self.beginsAtMs ?? fromMs
            self.beginsAtMs = nil
            self.begin(playable, entry, start)
        }
    }

    private func begin(_ playable: Playable, _ entry: EntryID, _ fromMs: Milliseconds) {
        if case .file(let file) = playable.location, broken.contains(file.path) || file.path.contains("broken") {
            playing = nil
            return report(.failed(entry, reason: "“\(file.path)” is not an audio file."))
        }
        playing = entry
        positionMs = fromMs
        sinceUs = time.nowUs
        begun.append(entry)
        report(.began(entry))
        if !chapters.isEmpty { report(.chapters(entry, chapters)) }
        arm()
    }

    package func follow(with playable: Playable?, as entry: EntryID?) {
        onOrder?("follow \(entry.map { "\($0)" } ?? "nothing")")
        if let playable, let entry { follower = (entry, playable) } else { follower = nil }
    }

    package func setPaused(_ paused: Bool) {
        onOrder?("paused \(paused)")
        settlePosition()
        isPaused = paused
        arm()
    }

    package func seek(toMs: Milliseconds) {
        onOrder?("seek \(toMs)")
        if beginsAtMs != nil {
            beginsAtMs = toMs
            return
        }
        positionMs = toMs
        sinceUs = time.nowUs
        arm()
    }

    package func stop() {
        onOrder?("stop")
        ending?.cancel()
        generation += 1
        beginsAtMs = nil
        playing = nil
        follower = nil
    }

    /// Where it is now.
    package var heardMs: Milliseconds {
        settlePosition()
        return positionMs
    }

    package var measuredMs: Double? {
        guard playing != nil else { return nil }
        return Double(positionMs) + (isPaused ? 0 : Double(time.nowUs - sinceUs) / 1000 * Double(speed) / 1000)
    }

    /// As if it had measured it.
    package func tell(_ news: PlayerReport) { report(news) }

    package func setGain(_ gain: Double) {
        onOrder?("gain \(gain)")
        self.gain = gain
    }
    package func setSpeed(permille: Int) {
        onOrder?("speed \(permille)")
        settlePosition()
        speed = permille
        arm()
    }
    package func setFilters(_ filters: SoundFilters) { self.filters = filters }
    package func setNext(_ rendering: Rendering) { next = rendering }
    package func setLevelling(_ levelling: Levelling) { self.levelling = levelling }
    package func stopAt(_ stop: PlayerStop?) {
        onOrder?("stop at \(stop.map { "\($0.atMs) of \($0.entry)" } ?? "the end")")
        wantedStop = stop
        settlePosition()
        arm()
    }
    package func fade(overMs: Milliseconds) {
        onOrder?("fade over \(overMs)")
        isFading = true
    }
    package func endFade() {
        onOrder?("end of the fade")
        isFading = false
    }
    package func close() async { stop() }

    private func settlePosition() {
        if playing != nil, !isPaused { positionMs += Milliseconds(time.nowUs - sinceUs) * speed / 1000 }
        sinceUs = time.nowUs
    }

    private func arm() {
        ending?.cancel()
        guard let entry = playing, !isPaused else { return }
        let endMs = wantedStop.flatMap { $0.entry == entry ? $0.atMs : nil } ?? trackMs
        ending = time.after(.milliseconds(max(0, endMs - positionMs) * 1000 / speed)) { [weak self] in
            guard let self, self.playing == entry else { return }
            self.finish(entry)
        }
    }

    private func finish(_ entry: EntryID) {
        playing = nil
        if let next = follower {
            follower = nil
            (speed, filters) = (self.next.speed, self.next.filters)
            begin(next.playable, next.entry, 0)
        } else {
            report(.ended(entry))
        }
    }
}
