import BatonCore

/// What is done about a difference between the room and the player: a look ten times a second, and what `StepRule` says of it.
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
        driftUs = Int(min(max(difference, -1e7), 1e7))
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

    /// The room is at another entry than the player. Where one follows the other by itself, one of both is a little earlier.
    private func catchUp(with line: RoomLine) {
        let sinceUs = apartSinceUs ?? loop.nowUs
        apartSinceUs = sinceUs
        if loaded == nil || loop.nowUs - sinceUs >= Self.changeUs, playables[line.entry] != nil { begin() }
    }
}
