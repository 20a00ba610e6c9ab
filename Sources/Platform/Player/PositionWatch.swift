import BatonCore
import BatonSeams

/// Reports the playback position to the room, as rarely as accuracy allows.
///
/// During playback, the device's position is read ten times a second and fitted to a line. Once the line is known it is read less often,
/// since each read wakes the loop and libmpv, and more often again when an answer is off the line. A live stream, whose position cannot be
/// compared with anything, is then read once a second. The room gets a report when the movement changes (began, pause, seek, speed, missing
/// data) and when the fit has left the reported line. No timer runs while nothing plays.
@Loop
final class PositionWatch {
    private unowned let player: MPVPlayer
    /// Number of the current movement. Answers to reads from an earlier one are ignored.
    private var era = 0
    private var line = PositionLine(rate: 0)
    private var told: ReportedPosition?
    /// True while a change of movement is not reported yet.
    private var isDue = false
    private var seeksInFlight = 0
    private(set) var isSeeking = false
    /// Target of the last seek, until playback continues. A paused output that has played before reports a delay of one or two tenths of a
    /// second that it does not have; an exact seek ends where it was sent.
    private var standingMs: Milliseconds?
    private var alarm: (any Alarm)?

    nonisolated private static let interval = Duration.milliseconds(100)
    nonisolated private static let steadyInterval = Duration.milliseconds(400)
    nonisolated private static let liveInterval = Duration.seconds(1)
    /// An output that has just started may have no position yet.
    private static let soon = Duration.milliseconds(10)
    /// An answer that took longer is too inexact in time.
    private static let slowUs: Microseconds = 30_000

    /// `player` owns the watch and outlives it.
    init(player: MPVPlayer) { self.player = player }

    func begin() {
        seeksInFlight = 0
        isSeeking = false
        standingMs = nil
        player.resumeIfDue()
        restart()
    }

    /// The movement has changed, so earlier samples are dropped.
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

    func seekBegins(toMs ms: Milliseconds) {
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

    /// Sound is ready again. While newer seeks are pending, its position is not final.
    func seekEnded() {
        guard seeksInFlight == 0 else { return }
        isSeeking = false
        player.resumeIfDue()
        restart()
    }

    /// The position as far as it was measured.
    var nowMs: Milliseconds? {
        line.positionUs(at: player.reactor.nowUs).map { max(0, Milliseconds((player.deck.live?.itemUs($0) ?? $0) / 1000)) }
    }

    /// The position with the full precision of the line.
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

    /// Takes an answer. The line is in libmpv's time, which runs evenly even if parts of the item are trimmed.
    private func heard(_ seconds: Double?, of slot: LoadedEntries.Slot, askedUs: Microseconds, question: Int) {
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

    /// Delay before the next read; it is shorter if a title becomes due.
    nonisolated static func rest(isLive: Bool, isSettled: Bool, untilTitle title: Double?) -> Duration {
        guard isSettled else { return interval }
        let rest = isLive ? liveInterval : steadyInterval
        guard let title, title < 1 else { return rest }
        return max(interval, min(rest, .milliseconds(Int(max(0, title) * 1000))))
    }

    /// Whether the line has been known for a while without outliers.
    var isSettled: Bool { line.isSettled }

    private func tell(_ positionUs: Double, atUs: Microseconds, of entry: EntryID) {
        let line = ReportedPosition(positionUs: positionUs, atUs: atUs, rate: line.rate)
        told = line
        isDue = false
        player.tell(.line(entry, positionMs: line.positionMs, atUs: line.atUs, rate: line.rate))
    }
}

extension ReportedPosition {
    /// A position in whole milliseconds, with the remainder moved into the time stamp. Before the entry's first sound, while the previous
    /// one still sounds, the line starts at zero a little in the future.
    init(positionUs: Double, atUs: Microseconds, rate: Int) {
        let positionMs = max(0, Milliseconds((positionUs / 1000).rounded()))
        let rest = rate > 0 ? (positionUs - Double(positionMs) * 1000) * 1000 / Double(rate) : 0
        self.init(positionMs: positionMs, atUs: atUs - Microseconds(rest.rounded()), rate: rate)
    }
}
