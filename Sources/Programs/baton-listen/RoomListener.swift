import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import EventLoop
import Player

/// Plays what a room plays, where the room is. The values in `BatonCore/InStep` decide when an item begins and what is done about a difference;
/// this carries it out on a player, and knows neither sockets nor files.
@Loop
final class RoomListener {
    /// For a new start of what is loaded already.
    private static let seekLeadUs: Int64 = 250_000
    /// After a start, and after another speed, the position is not measured well for so long.
    private static let startSettlesUs: Int64 = 900_000
    static let speedSettlesUs: Int64 = 600_000
    /// What could not begin in time begins anew, unless it is so little that its speed corrects it.
    private static let mostLateUs: Int64 = 20_000
    /// How long the player and the room may be at different entries where one follows the other by itself.
    static let changeUs: Int64 = 1_500_000
    private static let restUs: Int64 = 5_000_000

    let loop: EventLoop
    let offsetUs: Int64
    private(set) var player: MPVPlayer!
    /// Called with sentences for people.
    private let say: @Loop (String) -> Void

    // What the hub says.
    private var clock = AudioClock()
    private var boot: String?
    private(set) var line: RoomLine?
    /// As all are shown it.
    private var told: RoomLine?
    var isPlaying = false
    var lengths: [EntryID: Int64] = [:]
    /// What can be played, by entry.
    private(set) var playables: [EntryID: Playable] = [:]
    private var next: EntryID?

    // What the player does.
    private(set) var loaded: EntryID?
    private var followed: EntryID?
    var hasBegun = false
    /// Waits, made ready, for its moment.
    var isHeld = false
    var lead = StartLead()
    var rule = StepRule()
    private var orderedUs: Int64 = 0
    private var dueUs: Int64 = 0
    var meter = DifferenceMeter()
    var isStartMeasured = false
    private var restUntilUs: Int64 = 0
    var apartSinceUs: Int64?
    var startAlarm: (any Alarm)?
    var ticker: (any Alarm)?
    var driftUs: Int?

    init(_ loop: EventLoop, output: AudioChoice, offsetMs: Int, say: @escaping @Loop (String) -> Void) {
        self.loop = loop
        self.say = say
        offsetUs = Int64(offsetMs) * 1000
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

    // MARK: What the hub says

    func take(_ exchange: HubTime.Exchange) {
        if boot != exchange.boot { clock.reset() }
        boot = exchange.boot
        clock.take(offsetUs: exchange.offsetUs, errorUs: exchange.errorUs, atUs: exchange.atUs)
    }

    var hubUs: Int64? { clock.hubUs(atUs: loop.nowUs) }

    /// The room's state: a pause, a seek, another entry.
    func take(_ timeline: TimelineSection?, lengthMs: Int?, next: EntryID?) {
        self.next = next
        guard let timeline, let entry = timeline.entry else { return fallSilent() }
        if let lengthMs { lengths[entry] = Int64(lengthMs) * 1000 }
        let told = RoomLine(entry: entry, positionUs: Int64(timeline.positionMs) * 1000, atUs: timeline.atUs, rate: timeline.rate)
        let before = (line, isPlaying)
        // Other sections of the state change too.
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
        // The line that was measured at the room's output is more exact than the one that all are shown.
        let comparedUs = max(now, told.atUs)
        guard isNews, abs(known.positionUs(atUs: comparedUs) - told.positionUs(atUs: comparedUs)) > Int64(StepRule.newStartBeyondUs)
        else { return }
        line = told
        if !isThere(told, atUs: now) { begin() }
    }

    /// Whether the player is near the line already, as after a change of entries that both made by themselves. While the entry before
    /// still sounds that is not known, and `correct` finds out.
    private func isThere(_ line: RoomLine, atUs now: Int64) -> Bool {
        if loaded != line.entry { return followed == line.entry }
        guard hasBegun, !isHeld else { return false }
        guard let measured = player.measuredMs, measured > 0 else { return true }
        return abs(measured * 1000 - Double(line.positionUs(atUs: now + offsetUs))) <= StepRule.newStartBeyondUs
    }

    /// The line that is heard.
    func take(_ heard: ListeningAnswer.Line) {
        guard isPlaying, let known = line, known.entry == heard.entry, known.rate == heard.rate else { return }
        line = RoomLine(entry: heard.entry, positionUs: heard.positionUs, atUs: heard.atUs, rate: heard.rate)
    }

    /// Items that are held. Those that are gone are forgotten.
    func take(_ playables: [EntryID: Playable]) {
        let isNew = line.map { playables[$0.entry] != nil && self.playables[$0.entry] == nil } ?? false
        self.playables = playables
        lengths = lengths.filter { playables[$0.key] != nil || $0.key == line?.entry }
        if isNew, isPlaying, loaded != line?.entry { begin() } else { follow() }
    }

    /// The entry before is about to end, so that the player goes on to this one at its own moment.
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

    /// Makes the room's entry ready where the room will be, and lets it go then.
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

    /// Has the next entry follow by itself.
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
            // An item begins at normal speed.
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
        // Too late: the second try is a seek in what is loaded, which takes less.
        if loop.nowUs - dueUs <= Self.mostLateUs { letGo() } else { begin() }
    }
}
