/// Keeping the player in step with the server's room.
///
/// A track is loaded paused at a position that the server's room reaches a moment later, and is started at that moment, so
/// that a slow server or disk does not delay it. `JoinedTiming` decides when, and how remaining differences are corrected.
import BatonCore
import BatonKernel
import BatonSeams

extension JoinedRoom {
    private static let tickEvery = Duration.milliseconds(500)
    private static let standingToleranceMs = 40.0
    /// Remaining time below which a track is not started.
    private static let endMs = 250.0

    func tick() {
        alarms.nextTick(
            parts.clock.after(Self.tickEvery) { [weak self] in
                guard let self, !isClosed else { return }
                align(isNew: false)
                parts.changes.publisher.tell()
                tick()
            })
    }

    /// Aligns this room with the server's. `isNew` is true when the server's room has moved.
    func align(isNew: Bool) {
        guard isEntered, let line, state?.track != nil else {
            guard isEntered, live.room.timeline.state != .stopped else { return }
            haltSteps()
            return perform { room, now in room.fallSilent(at: now) }
        }
        if let standing = line.standingMs { return stand(atMs: standing) }
        if live.room.isJoinedHeld, !isNew { return }
        let isPaused = live.room.timeline.state == .paused || live.room.timeline.state == .stopped
        if isNew || isPaused || !live.room.hasJoinedSound { begin() } else { correct() }
    }

    private func stand(atMs standing: Double) {
        haltSteps()
        let room = live.room
        guard room.hasJoinedSound || timing.mayLoad(atUs: parts.clock.nowUs) else { return }
        let isThere =
            room.hasJoinedSound && room.timeline.state == .paused
            && abs(Double(room.timeline.positionMs) - standing) <= Self.standingToleranceMs
        if !isThere { prepare(atMs: standing, thenPlays: false) }
    }

    private func begin() {
        guard let line else { return }
        let nowUs = parts.clock.nowUs
        let isLoaded = live.room.hasJoinedSound && !live.room.isJoinedLoading
        guard isLoaded || timing.mayLoad(atUs: nowUs) else { return }
        let target = timing.target(on: line, isLoaded: isLoaded, atUs: nowUs)
        if let durationMs = live.room.currentEntry?.tags.durationMs, target > Double(durationMs) - Self.endMs { return }
        haltSteps()
        setSpeed(1000)
        let dueUs = timing.prepare(at: target, on: line, atUs: nowUs)
        prepare(atMs: target, thenPlays: true)
        alarms.start = parts.clock.after(.microseconds(max(0, dueUs - nowUs))) { [weak self] in self?.due() }
    }

    private func prepare(atMs target: Double, thenPlays: Bool) {
        perform { room, now in room.prepare(atMs: Milliseconds(target), thenPlays: thenPlays, at: now) }
        parts.changes.publisher.tell()
    }

    /// Starts the prepared track, since the server's room has reached its position.
    private func due() {
        alarms.start = nil
        guard live.room.isJoinedHeld else { return }
        if live.room.isJoinedLoading { timing.waitForLoad() } else { letGo() }
    }

    private func letGo() {
        timing.started(atUs: parts.clock.nowUs)
        perform { room, now in room.letGo(at: now) }
        parts.changes.publisher.tell()
    }

    func haltSteps() {
        alarms.cancelStart()
        timing.halt()
    }

    // MARK: The player's reports

    /// The report for the room. A timeline at a slightly different speed is shown at normal speed to all others.
    func plain(_ report: PlayerReport) -> PlayerReport {
        guard case .line(let entry, let position, let atUs, let rate) = report, rate != 0, rate != 1000 else { return report }
        return .line(entry, positionMs: position, atUs: atUs, rate: 1000)
    }

    /// Handles a report after the room has.
    func heard(_ report: PlayerReport) {
        switch report {
        case .began(let entry) where entry == live.room.queue.current: began()
        case .ended, .failed, .away:
            if !live.room.hasJoinedSound { timing.failed(atUs: parts.clock.nowUs) }
            if case .failed(_, let reason) = report { note("Cannot be played: \(reason)") }
            if case .away(_, let reason) = report { note("Cannot be had: \(reason)") }
        default: break
        }
    }

    private func began() {
        guard live.room.isJoinedHeld else { return }
        switch timing.loaded(atUs: parts.clock.nowUs) {
        case .inTime: break
        case .late: letGo()
        // The track is loaded by now, so the second try is a seek.
        case .tooLate: begin()
        }
    }

    // MARK: Drift

    var expectedMs: Double? { line?.positionMs(atUs: parts.clock.nowUs) }

    /// The audible position of this room.
    var ownMs: Double? {
        guard isEntered, live.room.hasJoinedSound else { return nil }
        return live.playerOrders?.measuredMs ?? Double(live.room.positionMs(at: parts.clock.now))
    }

    private func correct() {
        guard live.room.timeline.state == .playing, let own = ownMs, let expected = expectedMs else { return }
        // After the end of its track the server continues at its next tick.
        if let durationMs = live.room.currentEntry?.tags.durationMs, expected >= Double(durationMs) - Self.endMs { return }
        let drift = own - expected
        switch timing.correct(driftMs: drift, atUs: parts.clock.nowUs) {
        case .none: break
        case .seek:
            note("Off by \(Int(drift)) ms: sought.")
            begin()
        case .speed(let permille):
            note("Off by \(Int(drift)) ms: speed \(permille) ‰.")
            setSpeed(permille)
        }
    }

    private func setSpeed(_ permille: Int) { live.perform([.setSpeed(permille: permille)]) }
}
