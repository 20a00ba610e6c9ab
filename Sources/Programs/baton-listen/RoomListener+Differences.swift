import BatonCore

/// Corrects differences between the room and the player: it measures them ten times a second and applies the
/// decisions of `StepRule`.
extension RoomListener {
    private static let tick = Duration.milliseconds(100)

    func ticks() {
        ticker = loop.after(Self.tick) { [weak self] in
            self?.correct()
            self?.ticks()
        }
    }

    private func correct() {
        guard isPlaying, let line, let now = hubUs else { return }
        guard loaded == line.entry else { return catchUp(with: line) }
        apartSinceUs = nil
        guard hasBegun, !isHeld, let measured = player.measuredMs, measured > 0 else {
            if hasBegun, isHeld, startAlarm == nil { begin() }
            return
        }
        let expectedUs = line.positionUs(atUs: now + offsetUs)
        if let lengthUs = lengths[line.entry], expectedUs >= lengthUs - RoomLine.endUs { return }
        meter.take(measured * 1000 - Double(expectedUs), atUs: loop.nowUs)
        guard let difference = meter.differenceUs else { return }
        driftUs = Microseconds(min(max(difference, -1e7), 1e7))
        if !isStartMeasured {
            isStartMeasured = true
            lead.heard(behindMs: -difference / 1000)
        }
        switch rule.step(driftUs: difference, atUs: loop.nowUs) {
        case .none: break
        case .speed(let permille):
            meter.moved(atUs: loop.nowUs, settlesUs: Self.speedSettlesUs)
            player.setSpeed(permille: permille)
        case .startAnew: begin()
        }
    }

    /// Handles different entries in the room and the player. At an automatic change of entries one of them is
    /// slightly early, so this waits first.
    private func catchUp(with line: RoomLine) {
        let sinceUs = apartSinceUs ?? loop.nowUs
        apartSinceUs = sinceUs
        if loaded == nil || loop.nowUs - sinceUs >= Self.changeUs, playables[line.entry] != nil { begin() }
    }
}
