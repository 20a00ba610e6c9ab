import BatonCore
import BatonSeams

/// Keeps the room told where playing is, with as few words as the truth allows.
///
/// While something moves, the device's position is asked ten times a second and fitted to a line. Once the line is known it is asked less
/// often, since each question costs the loop and libmpv a wake-up, and more often again as soon as an answer is off the line. That of a
/// live stream, which no person can compare with anything, is then asked once a second.
/// Others hear of it when the movement changes (began, pause, seek, speed, data missing) and when
/// the fit has left the line they know. While nothing moves no timer runs.
@Loop
final class PositionWatch {
    private unowned let player: MPVPlayer
    /// Answers to questions from before the last change of movement say nothing about now.
    private var era = 0
    private var line = PositionLine(rate: 0)
    private var told: ReportedPosition?
    /// A change of movement was not told yet.
    private var isDue = false
    private var seeksInFlight = 0
    private(set) var isSeeking = false
    /// Where the last seek went, until something moves. A paused output that has played before reports
    /// a delay that it does not have, by a tenth of a second or two; an exact seek is where it was sent.
    private var standingMs: Int?
    private var alarm: (any Alarm)?

    nonisolated private static let interval = Duration.milliseconds(100)
    nonisolated private static let steadyInterval = Duration.milliseconds(400)
    nonisolated private static let liveInterval = Duration.seconds(1)
    /// An output that has just started may have no position yet.
    private static let soon = Duration.milliseconds(10)
    /// An answer that took longer says too little about when it was true.
    private static let slowUs: Int64 = 30_000

    /// `player` owns the watch and outlives it.
    init(player: MPVPlayer) { self.player = player }

    func begin() {
        seeksInFlight = 0
        isSeeking = false
        standingMs = nil
        player.resumeIfDue()
        restart()
    }

    /// The movement has changed: what was measured before counts no more.
    func restart() {
        halt()
        guard let slot = player.deck.live, slot.hasBegun, !isSeeking else { return }
        line = PositionLine(rate: rate)
        if rate > 0 { standingMs = nil }
        if let standingMs { return tell(Double(standingMs) * 1000, atUs: player.reactor.nowUs, of: slot.entry) }
        isDue = true
        ask()
    }

    func stop() {
        halt()
        isSeeking = false
    }

    func seekBegins(toMs ms: Int) {
        halt()
        seeksInFlight += 1
        isSeeking = true
        standingMs = ms
    }

    func seekAnswered(_ status: MPVStatus) {
        seeksInFlight = max(0, seeksInFlight - 1)
        guard !status.isGood else { return }
        standingMs = nil
        seekEnded()
    }

    /// Sound is ready again. While newer seeks are on their way it is not where it is going to be.
    func seekEnded() {
        guard seeksInFlight == 0 else { return }
        isSeeking = false
        player.resumeIfDue()
        restart()
    }

    /// Where playing is, as far as that was heard.
    var nowMs: Int? {
        line.positionUs(at: player.reactor.nowUs).map { max(0, Int((player.deck.live?.itemUs($0) ?? $0) / 1000)) }
    }

    /// The same, as exactly as the line is.
    var measuredMs: Double? {
        guard !line.isEmpty, !isSeeking else { return nil }
        return line.positionUs(at: player.reactor.nowUs).map { max(0, (player.deck.live?.itemUs($0) ?? $0) / 1000) }
    }

    private var rate: Int { player.isPaused || player.isBuffering ? 0 : player.speed }

    private func halt() {
        era += 1
        isDue = false
        told = nil
        alarm?.cancel()
        alarm = nil
    }

    private func ask() {
        guard let slot = player.deck.live else { return }
        let question = era
        let askedUs = player.reactor.nowUs
        player.order { [weak self] core in
            core.get("audio-pts") { _, answer in
                self?.heard(answer.number, of: slot, askedUs: askedUs, question: question)
            }
        }
    }

    /// The line runs evenly in libmpv's time, also where something is left out of the item.
    private func heard(_ seconds: Double?, of slot: LoadedEntries.Slot, askedUs: Int64, question: Int) {
        guard question == era else { return }
        let now = player.reactor.nowUs
        let atUs = askedUs + (now - askedUs) / 2
        if let seconds, isDue || now - askedUs < Self.slowUs { line.add(atUs: atUs, positionUs: seconds * 1_000_000) }
        let toleranceUs = slot.playable.trim == nil ? ReportedPosition.toleranceUs : ReportedPosition.trimmedToleranceUs
        if let position = line.positionUs(at: atUs).map(slot.itemUs),
            isDue || told?.isLeft(by: position, at: atUs, toleranceUs: toleranceUs) == true
        {
            tell(position, atUs: atUs, of: slot.entry)
        }
        let title = seconds.flatMap { player.hearTitles(atSeconds: $0 + Double(slot.shiftUs) / 1_000_000) }
        guard question == era, isDue || line.rate > 0 else { return }
        let isLive = player.deck.live?.playable.isLive == true
        let rest = isDue ? Self.soon : Self.rest(isLive: isLive, isSettled: line.isSettled, untilTitle: title)
        alarm = player.reactor.after(rest) { [weak self] in self?.ask() }
    }

    /// How long the next question waits: a title is heard when its time comes.
    nonisolated static func rest(isLive: Bool, isSettled: Bool, untilTitle title: Double?) -> Duration {
        guard isSettled else { return interval }
        let rest = isLive ? liveInterval : steadyInterval
        guard let title, title < 1 else { return rest }
        return max(interval, min(rest, .milliseconds(Int(max(0, title) * 1000))))
    }

    /// Whether the line has been known for a while, and nothing speaks against it.
    var isSettled: Bool { line.isSettled }

    private func tell(_ positionUs: Double, atUs: Int64, of entry: EntryID) {
        let line = ReportedPosition(positionUs: positionUs, atUs: atUs, rate: line.rate)
        told = line
        isDue = false
        player.tell(.line(entry, positionMs: line.positionMs, atUs: line.atUs, rate: line.rate))
    }
}

extension ReportedPosition {
    /// Whole milliseconds, with the rest moved into the stamp. Before the entry's first sound is
    /// heard, while the one before still sounds, the line starts at zero a little in the future.
    init(positionUs: Double, atUs: Int64, rate: Int) {
        let positionMs = max(0, Int((positionUs / 1000).rounded()))
        let rest = rate > 0 ? (positionUs - Double(positionMs) * 1000) * 1000 / Double(rate) : 0
        self.init(positionMs: positionMs, atUs: atUs - Int64(rest.rounded()), rate: rate)
    }
}
