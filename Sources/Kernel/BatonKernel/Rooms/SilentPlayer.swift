import BatonCore
import BatonSeams

/// The player of a room without a speaker: it decodes nothing, and time passes by the lengths of its entries.
///
/// People hear such a room on their own devices. One alarm waits for the end of the current entry, so a playing room costs
/// nothing in between. The source is asked for an unknown length, which a player would find in the file. Live streams go on
/// until a person skips them; other entries without a length cannot be played here, and are skipped with a sentence.
@Loop
final class SilentPlayer: PlayerEngine {
    private let reactor: any Reactor
    /// The length of an entry, from its source.
    private let lengthMs: @Loop (EntryID) -> Milliseconds?
    /// The source's description of an entry.
    private let describe: @Loop (EntryID) async -> (Tags, SoundFormat?)?
    private let report: @Loop (PlayerReport) -> Void

    private var playing: EntryID?
    private var isLive = false
    private var follower: (entry: EntryID, isLive: Bool)?
    private var isPaused = false
    private var speed = 1000
    private var nextSpeed = 1000
    private var wantedStop: PlayerStop?
    /// The position at `sinceUs`, from which time is counted.
    private var positionMs = 0.0
    private var sinceUs: Microseconds = 0
    private var beginning: (any Alarm)?
    private var ending: (any Alarm)?
    private var asking: Task<Void, Never>?

    init(
        reactor: any Reactor, lengthMs: @escaping @Loop (EntryID) -> Milliseconds?,
        describe: @escaping @Loop (EntryID) async -> (Tags, SoundFormat?)? = { _ in nil }, report: @escaping @Loop (PlayerReport) -> Void
    ) {
        self.reactor = reactor
        self.lengthMs = lengthMs
        self.describe = describe
        self.report = report
    }

    var measuredMs: Double? { playing == nil ? nil : nowMs }

    func load(_ playable: Playable, as entry: EntryID, fromMs: Milliseconds, paused: Bool) {
        stop()
        isPaused = paused
        begin(entry, isLive: playable.isLive, fromMs: fromMs)
    }

    func follow(with playable: Playable?, as entry: EntryID?) {
        follower = playable.flatMap { playable in entry.map { ($0, playable.isLive) } }
    }

    func setPaused(_ paused: Bool) {
        guard paused != isPaused else { return }
        count(from: nowMs)
        isPaused = paused
        arm()
    }

    func seek(toMs: Milliseconds) {
        count(from: Double(max(0, toMs)))
        arm()
    }

    func stop() {
        beginning?.cancel()
        ending?.cancel()
        asking?.cancel()
        (playing, follower) = (nil, nil)
    }

    func setSpeed(permille: Int) {
        count(from: nowMs)
        speed = permille
        arm()
    }

    func setNext(_ rendering: Rendering) { nextSpeed = rendering.speed }

    func stopAt(_ stop: PlayerStop?) {
        wantedStop = stop
        arm()
    }

    func close() async {
        stop()
        await asking?.value
    }

    // There is no sound to change.
    func setGain(_ gain: Double) {}
    func setFilters(_ filters: SoundFilters) {}
    func setLevelling(_ levelling: Levelling) {}
    func fade(overMs: Milliseconds) {}
    func endFade() {}

    // MARK: Time

    private var nowMs: Double {
        isPaused ? positionMs : positionMs + Double(reactor.nowUs - sinceUs) * Double(speed) / 1_000_000
    }

    private func count(from positionMs: Double) { (self.positionMs, sinceUs) = (positionMs, reactor.nowUs) }

    /// Reports are sent later, never from inside an order.
    private func begin(_ entry: EntryID, isLive: Bool, fromMs: Milliseconds) {
        playing = entry
        self.isLive = isLive
        count(from: Double(max(0, fromMs)))
        beginning = reactor.after(.zero) { [weak self] in
            guard let self, playing == entry else { return }
            report(.began(entry))
            guard playing == entry else { return }
            if lengthMs(entry) == nil, !isLive { ask(about: entry) } else { arm() }
        }
    }

    private func ask(about entry: EntryID) {
        asking?.cancel()
        asking = Task { [weak self, describe] in
            let found = await describe(entry)
            guard let self, playing == entry else { return }
            if let (tags, format) = found { report(.described(entry, tags, format)) }
            guard playing == entry else { return }
            guard lengthMs(entry) == nil else { return arm() }
            playing = nil
            report(.failed(entry, reason: "Its length is not known, by which a room without a speaker plays."))
        }
    }

    private func arm() {
        ending?.cancel()
        ending = nil
        guard let entry = playing, !isPaused, speed > 0 else { return }
        let stopMs = wantedStop.flatMap { $0.entry == entry ? $0.atMs : nil }
        guard let endMs = [stopMs, lengthMs(entry)].compactMap({ $0 }).min() else { return }
        let leftUs = max(0, (Double(endMs) - nowMs) * 1_000_000 / Double(speed))
        ending = reactor.after(.microseconds(Int64(min(leftUs, 1e15)))) { [weak self] in
            guard let self, playing == entry else { return }
            if let follower {
                self.follower = nil
                speed = nextSpeed
                begin(follower.entry, isLive: follower.isLive, fromMs: 0)
            } else {
                playing = nil
                report(.ended(entry))
            }
        }
    }
}
