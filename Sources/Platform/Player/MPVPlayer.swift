package import BatonCore
package import BatonSeams

/// The player of one room: libmpv behind the hub's protocol for players.
///
/// Owned by the loop. Orders become asynchronous commands and return; libmpv's events come back as reports. Decisions are in values beside
/// this file: `LoadedEntries` maps entries, `PositionLine` knows the position, `PlayerOption` sets libmpv up. This class knows nothing of
/// queues, volume curves or sources.
@Loop
package final class MPVPlayer: PlayerEngine {
    let reactor: any Reactor
    let audio: AudioChoice
    let report: @Loop (PlayerReport) -> Void
    let idleLimit: Duration
    /// Whether a change of speed leaves the pitch. The filter for that moves the sound by tens of milliseconds.
    let keepsPitch: Bool

    // The life of libmpv.
    let life: CoreLifetime
    let files = FileStreams()

    // State that the room wants.
    var deck = LoadedEntries() { didSet { files.keep(only: deck.orders) } }
    private(set) var isPaused = false
    /// True while libmpv stays paused for a seek; otherwise the sound left in its output would be heard.
    private var isResumeDue = false
    private(set) var gain = 1.0
    private(set) var speed = 1000
    private var filters = SoundFilters()
    /// Rendering of the next entry.
    private var next = Rendering()
    private(set) var levelling = Levelling()
    /// The end that the room wants for an entry, and the one that libmpv was told.
    var ending = EntryEnd()

    // State that libmpv reported last.
    private(set) var isBuffering = false
    var failure = PendingFailure()
    var description = EntryDescription()
    var handover: Handover? { didSet { handoverChanged(from: oldValue) } }
    let goingOn = Questions<Bool>()
    var past = PastReports()
    /// Whether libmpv reads ahead until its store is full.
    var fillsStore = false
    private(set) lazy var position = PositionWatch(player: self)
    private(set) lazy var stalls = StallWatch(player: self)
    private(set) lazy var output = OutputWatch(player: self)
    private(set) lazy var fading = SoundFade(player: self)

    /// `report` is called on the loop, never inside an order. libmpv is created at first use and released after `idleLimit` with nothing to
    /// play.
    package init(
        reactor: any Reactor, audio: AudioChoice, idleLimit: Duration = .seconds(600), keepsPitch: Bool = true,
        report: @escaping @Loop (PlayerReport) -> Void
    ) {
        self.reactor = reactor
        self.audio = audio
        self.idleLimit = idleLimit
        self.keepsPitch = keepsPitch
        self.report = report
        life = CoreLifetime(audio: audio, files: files)
    }

    /// Creates libmpv now, so that the first `load` does not wait for it.
    package func prepare() {
        order { _ in }
        restWhenIdle()
    }

    package func load(_ playable: Playable, as entry: EntryID, fromMs: Milliseconds, paused: Bool) {
        if let why = playable.refusal {
            stop()
            return order { [weak self] core in
                core.get("idle-active") { _, _ in self?.tell(.failed(entry, reason: Failure.refused(playable, why))) }
            }
        }
        handover = nil
        let slot = deck.load(playable, as: entry, fromMs: fromMs, rendering: rendering)
        position.stop()
        fading.end()
        stay()
        // Paused first, so that none of the new sound is heard; resumed last, so that none of the old sound is heard.
        if paused { setPaused(true) }
        replay(slot)
        if !paused { setPaused(false) }
        resumeIfDue()
    }

    package func follow(with playable: Playable?, as entry: EntryID?) {
        guard deck.current != nil else { return }
        // A handover comes first; the follower is loaded once the other source plays.
        if handover != nil {
            handover?.follower = playable.flatMap { playable in entry.map { (playable, $0) } }
            return
        }
        deck.dropFollower()
        // Clears all but the current entry.
        order { $0.command([.text("playlist-clear")]) }
        guard let playable, let entry, playable.refusal == nil, let before = deck.current?.playable,
            let slot = deck.follow(with: playable, as: entry, rendering: next)
        else { return }
        order { $0.set("prefetch-playlist", to: .flag(playable.opensLike(before))) }
        // If libmpv has just reached its end, this starts it again.
        open(slot, "append-play")
    }

    package func setPaused(_ paused: Bool) {
        guard paused != isPaused else { return }
        isPaused = paused
        stalls.restart()
        isResumeDue = !paused && position.isSeeking
        if !isResumeDue { showPaused() }
    }

    /// Called when the sound has reached the target of a seek.
    func resumeIfDue() {
        guard isResumeDue else { return }
        isResumeDue = false
        showPaused()
    }

    private func showPaused() {
        let paused = isPaused
        adjust { [weak self] core in
            core.set("pause", to: .flag(paused)) { _, _ in self?.movementChanged() }
        }
    }

    package func seek(toMs: Milliseconds) {
        // Before there is sound libmpv refuses a seek.
        guard deck.live?.hasBegun == true else { return deck.seekLater(toMs: max(0, toMs)) }
        if !seekElsewhere(toMs: max(0, toMs)) { move(toMs: max(0, toMs)) }
    }

    func move(toMs ms: Milliseconds) {
        if let slot = deck.live, let joint = slot.joint, Microseconds(ms) < joint.startUs { return reopen(slot, atMs: ms) }
        position.seekBegins(toMs: ms)
        let inFileUs = deck.live?.playerUs(Microseconds(ms)) ?? Microseconds(ms)
        order { [weak self] core in
            core.command([.text("seek"), .text(Playable.seconds(us: inFileUs)), .text("absolute+exact")]) { status, _ in
                self?.position.seekAnswered(status)
            }
        }
    }

    package var measuredMs: Double? { position.measuredMs }

    package func stop() {
        handover = nil
        deck.clear()
        position.stop()
        adjust { $0.command([.text("stop")]) }
        restWhenIdle()
    }

    package func setGain(_ gain: Double) {
        self.gain = gain
        showGain()
    }

    /// Sets libmpv's volume from gain and fading.
    func showGain() {
        let volume = PlayerOption.volume(gain: gain * fading.part)
        adjust { $0.set("volume", to: .double(volume)) }
    }

    package func fade(overMs: Milliseconds) { fading.begin(overMs: overMs) }

    package func endFade() { fading.end() }

    package func setSpeed(permille: Int) {
        guard permille != speed else { return }
        speed = permille
        showSpeed()
    }

    package func setFilters(_ filters: SoundFilters) {
        guard filters != self.filters else { return }
        self.filters = filters
        showFilters()
    }

    package func setNext(_ rendering: Rendering) {
        guard rendering != next else { return }
        next = rendering
        // libmpv got the rendering with the file, so the follower is loaded again.
        if let follower = deck.follower, !follower.continues { follow(with: follower.playable, as: follower.entry) }
    }

    /// Applies the current rendering to a file that has begun, since it may have changed after the order.
    func settleRendering(of slot: LoadedEntries.Slot) {
        let before = rendering
        if slot.follows, !slot.continues { (speed, filters) = (next.speed, next.filters) }
        if before.speed != speed || slot.rendering.speed != speed { showSpeed() }
        if before.filters != filters || slot.rendering.filters != filters { showFilters() }
    }

    /// Rendering of the current entry.
    var rendering: Rendering { Rendering(speed: speed, filters: filters) }

    private func showSpeed() {
        let value = PlayerOption.speed(permille: speed, keepsPitch: keepsPitch)
        adjust { [weak self] core in
            core.set("speed", to: .double(value)) { _, _ in self?.movementChanged() }
        }
    }

    private func showFilters() {
        adjust { [weak self] core in
            core.get("audio-params/channel-count") { _, channels in
                guard let self, let slot = self.deck.live else { return }
                var filters = self.filters
                // One channel sounds the same either way, and libmpv would wait for a pipe forever before it continues with two.
                if channels.integer == 1 { filters.isMono = slot.rendering.filters.isMono }
                self.adjust { $0.set("af", to: .text(slot.filters(for: filters))) }
            }
        }
    }

    package func setLevelling(_ levelling: Levelling) {
        guard levelling != self.levelling else { return }
        self.levelling = levelling
        adjust { core in
            for option in PlayerOption.options(for: levelling) { core.set(option.name, to: .text(option.value)) }
        }
    }

    /// Notes whether libmpv waits for bytes; false if that was known.
    @discardableResult
    func setBuffering(_ isMissing: Bool) -> Bool {
        defer { isBuffering = isMissing }
        return isMissing != isBuffering
    }

    /// Forgets what an earlier libmpv was told, because another one is made.
    func startOver() {
        fillsStore = false
        ending.startOver()
    }
}
