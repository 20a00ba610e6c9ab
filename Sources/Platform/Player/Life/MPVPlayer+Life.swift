import BatonSeams

/// Creation of libmpv at the first order, its release when idle, and its end.
extension MPVPlayer {
    package func close() async {
        quieten()
        await life.close()
    }

    /// Carries out an order; the first one creates libmpv.
    func order(_ order: @escaping CoreLifetime.Order) {
        if life.isAbsent {
            startOver()
            life.begin(
                options: PlayerOption.all(
                    for: audio, volume: PlayerOption.volume(gain: gain * fading.part),
                    speed: PlayerOption.speed(permille: speed, keepsPitch: keepsPitch), paused: isPaused)
                    + PlayerOption.options(for: levelling) + (keepsPitch ? [] : [PlayerOption.bendsPitch])
            ) { [weak self] in self?.arrived($0) }
        }
        life.order(order)
    }

    /// Carries out an order about settings. A player that does not exist yet gets them at its creation.
    func adjust(_ order: @escaping CoreLifetime.Order) {
        if !life.isAbsent { life.order(order) }
    }

    private func arrived(_ made: Result<RawCore, MPVStatus>) -> MPVCore? {
        switch made {
        case .success(let raw):
            let core = MPVCore(
                raw, reactor: reactor, deliver: { [weak self] in self?.take($0) }, delivered: { [weak self] in self?.flush() })
            core.observe("paused-for-cache")
            core.observe("current-ao")
            core.observeThatItChanged("metadata")
            output.begin()
            return core
        case .failure(let status):
            let entry = deck.current?.entry
            quieten()
            if let entry { tell(.failed(entry, reason: "The player cannot be started: \(status.text).")) }
            return nil
        }
    }

    func quieten() {
        handover = nil
        deck.clear()
        position.stop()
        fading.end()
        stalls.stop()
        output.stop()
        stay()
    }

    /// Keeps libmpv, because something will be played.
    func stay() { life.stay() }

    func restWhenIdle() {
        guard deck.current == nil, !life.isAbsent, !life.isClosed else { return }
        life.restLater(
            reactor.after(idleLimit) { [weak self] in
                guard let self, deck.current == nil else { return }
                quieten()
                life.rest()
            })
    }
}
