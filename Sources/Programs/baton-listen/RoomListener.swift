import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import EventLoop
import Player

/// Plays the same as a room, at the same position. Values in `BatonCore/InStep` decide when an item starts and how a
/// difference is corrected; this type controls the player. It does not know sockets or files.
@Loop
final class RoomListener {
    /// Lead time for a restart of a loaded item.
    private static let seekLeadUs: Microseconds = 250_000
    /// Time after a start or a change of speed during which the measured position is unreliable.
    private static let startSettlesUs: Microseconds = 900_000
    static let speedSettlesUs: Microseconds = 600_000
    /// Delay up to which a late start stays, because a change of speed corrects it; a later one is repeated.
    private static let mostLateUs: Microseconds = 20_000
    /// Time for which the player and the room may have different entries at an automatic change.
    static let changeUs: Microseconds = 1_500_000
    private static let restUs: Microseconds = 5_000_000

    let loop: EventLoop
    let offsetUs: Microseconds
    private(set) var player: MPVPlayer!
    /// Prints a sentence for people.
    private let say: @Loop (String) -> Void

    // State from the hub.
    private var clock = AudioClock()
    private var boot: String?
    private(set) var line: RoomLine?
    /// The timeline that the hub publishes to all clients.
    private var told: RoomLine?
    var isPlaying = false
    var lengths: [EntryID: Microseconds] = [:]
    /// Playable items by entry.
    private(set) var playables: [EntryID: Playable] = [:]
    private var next: EntryID?

    // State of the player.
    private(set) var loaded: EntryID?
    private var followed: EntryID?
    var hasBegun = false
    /// True while a loaded item is paused until its start time.
    var isHeld = false
    var lead = StartLead()
    var rule = StepRule()
    private var orderedUs: Microseconds = 0
    private var dueUs: Microseconds = 0
    var meter = DifferenceMeter()
    var isStartMeasured = false
    private var restUntilUs: Microseconds = 0
    var apartSinceUs: Microseconds?
    var startAlarm: (any Alarm)?
    var ticker: (any Alarm)?
    var driftUs: Microseconds?

    init(_ loop: EventLoop, output: AudioChoice, offsetMs: Milliseconds, say: @escaping @Loop (String) -> Void) {
        self.loop = loop
        self.say = say
        offsetUs = Microseconds(offsetMs)
        player = MPVPlayer(reactor: loop, audio: output, keepsPitch: false) { [weak self] in self?.hear($0) }
        player.prepare()
    }

    var starts: Int { rule.newStarts }

    func run() { ticks() }

    func close() async {
        startAlarm?.cancel()
        ticker?.cancel()
        await player.close()
    }

    // MARK: State from the hub

    func take(_ exchange: HubTime.Exchange) {
        if boot != exchange.boot { clock.reset() }
        boot = exchange.boot
        clock.take(offsetUs: exchange.offsetUs, errorUs: exchange.errorUs, atUs: exchange.atUs)
    }

    var hubUs: Microseconds? { clock.hubUs(atUs: loop.nowUs) }

    /// Applies the room's timeline: a pause, a seek, another entry.
    func take(_ timeline: TimelineSection?, lengthMs: Milliseconds?, next: EntryID?) {
        self.next = next
        guard let timeline, let entry = timeline.entry else { return fallSilent() }
        if let lengthMs { lengths[entry] = Microseconds(lengthMs) }
        let told = RoomLine(entry: entry, positionUs: Microseconds(timeline.positionMs), atUs: timeline.atUs, rate: timeline.rate)
        let before = (line, isPlaying)
        // The timeline may be unchanged, because an update may concern other sections.
        let isNews = told != self.told
        self.told = told
        isPlaying = timeline.state == .playing && timeline.rate > 0
        guard isPlaying else {
            line = told
            return pause()
        }
        defer { follow() }
        guard let known = before.0, before.1, known.entry == entry, known.rate == told.rate, let now = hubUs else {
            line = told
            return before.1 && endsBy(itself: before.0) ? () : begin()
        }
        // The known timeline was measured at the room's output, so it is more exact than the published one and stays
        // unless they differ clearly.
        let comparedUs = max(now, told.atUs)
        let apartUs = (known.positionUs(atUs: comparedUs) - told.positionUs(atUs: comparedUs)).magnitude
        guard isNews, apartUs > Microseconds(StepRule.newStartBeyondUs) else { return }
        line = told
        if !isThere(told, atUs: now) { begin() }
    }

    /// Whether the player is near the timeline already, as after an automatic change of entries on both sides. While
    /// the previous entry still plays, this is unknown, and `correct` decides later.
    private func isThere(_ line: RoomLine, atUs now: Microseconds) -> Bool {
        if loaded != line.entry { return followed == line.entry }
        guard hasBegun, !isHeld else { return false }
        guard let measured = player.measuredMs, measured > 0 else { return true }
        return abs(measured * 1000 - Double(line.positionUs(atUs: now + offsetUs))) <= StepRule.newStartBeyondUs
    }

    /// Applies the timeline measured at the room's output.
    func take(_ heard: ListeningAnswer.Line) {
        guard isPlaying, let known = line, known.entry == heard.entry, known.rate == heard.rate else { return }
        line = RoomLine(entry: heard.entry, positionUs: heard.positionUs, atUs: heard.atUs, rate: heard.rate)
    }

    /// Sets the available items; others are removed.
    func take(_ playables: [EntryID: Playable]) {
        let isNew = line.map { playables[$0.entry] != nil && self.playables[$0.entry] == nil } ?? false
        self.playables = playables
        lengths = lengths.filter { playables[$0.key] != nil || $0.key == line?.entry }
        if isNew, isPlaying, loaded != line?.entry { begin() } else { follow() }
    }

    /// Whether the previous entry is about to end, so that the player changes to the new one by itself.
    private func endsBy(itself before: RoomLine?) -> Bool {
        guard let before, let entry = line?.entry, entry != before.entry, let now = hubUs else { return false }
        if loaded == entry { return true }
        guard followed == entry, let lengthUs = lengths[before.entry] else { return false }
        return before.positionUs(atUs: now) > lengthUs - Self.changeUs
    }

    // MARK: The player

    private func fallSilent() {
        (line, isPlaying, loaded, followed, hasBegun, isHeld, driftUs) = (nil, false, nil, nil, false, false, nil)
        startAlarm?.cancel()
        player.stop()
    }

    private func pause() {
        startAlarm?.cancel()
        isHeld = true
        driftUs = nil
        player.setPaused(true)
    }

    /// Prepares the room's entry at a position shortly ahead, and starts it when the room gets there.
    func begin() {
        startAlarm?.cancel()
        startAlarm = nil
        (driftUs, apartSinceUs) = (nil, nil)
        guard isPlaying, let line, line.rate == 1000, let now = hubUs, let playable = playables[line.entry], loop.nowUs >= restUntilUs
        else {
            player.setPaused(true)
            isHeld = true
            return
        }
        let isLoaded = loaded == line.entry && hasBegun
        let leadUs = (isLoaded ? Self.seekLeadUs : lead.leadUs) + lead.soundUs
        guard
            let start = line.start(nowUs: now, leadUs: leadUs, offsetUs: offsetUs + lead.soundUs, lengthUs: lengths[line.entry])
        else { return }
        rule.startOver()
        player.setSpeed(permille: 1000)
        (orderedUs, dueUs, isHeld) = (loop.nowUs, loop.nowUs + start.dueUs - now, true)
        if isLoaded {
            player.setPaused(true)
            player.seek(toMs: start.positionMs)
        } else {
            (loaded, followed, hasBegun) = (line.entry, nil, false)
            player.load(playable, as: line.entry, fromMs: start.positionMs, paused: true)
        }
        meter.moved(atUs: dueUs, settlesUs: Self.startSettlesUs)
        isStartMeasured = false
        startAlarm = loop.after(.microseconds(max(0, dueUs - loop.nowUs))) { [weak self] in self?.due() }
    }

    private func due() {
        startAlarm = nil
        // An item that is still loading is started by `began`, once it is loaded.
        if isHeld, hasBegun { letGo() }
    }

    private func letGo() {
        isHeld = false
        meter.moved(atUs: loop.nowUs, settlesUs: Self.startSettlesUs)
        player.setPaused(false)
    }

    /// Queues the next entry in the player for an automatic change.
    private func follow() {
        guard let loaded, loaded == line?.entry, followed != next else { return }
        guard let next, let playable = playables[next], next != loaded else {
            if followed != nil, next == nil {
                followed = nil
                player.follow(with: nil, as: nil)
            }
            return
        }
        followed = next
        player.follow(with: playable, as: next)
    }

    private func hear(_ report: PlayerReport) {
        switch report {
        case .began(let entry): began(entry)
        case .ended(let entry) where entry == loaded: (loaded, hasBegun) = (nil, false)
        case .failed(let entry, let reason), .away(let entry, let reason):
            say("Cannot be played here: \(reason)")
            guard entry == loaded else { return }
            (loaded, followed, hasBegun) = (nil, nil, false)
            restUntilUs = loop.nowUs + Self.restUs
        case .outputTrouble(let sentence): say(sentence ?? "The output is there again.")
        default: break
        }
    }

    private func began(_ entry: EntryID) {
        if entry == followed {
            (loaded, followed) = (entry, nil)
            // Items start at normal speed.
            rule.startOver()
            meter.moved(atUs: loop.nowUs, settlesUs: Self.speedSettlesUs)
            return follow()
        }
        guard entry == loaded, !hasBegun else { return }
        hasBegun = true
        follow()
        guard isHeld, isPlaying else { return }
        lead.loaded(afterUs: loop.nowUs - orderedUs)
        guard startAlarm == nil else { return }
        // A late start is repeated as a seek in the loaded item, which takes less time.
        if loop.nowUs - dueUs <= Self.mostLateUs { letGo() } else { begin() }
    }
}
