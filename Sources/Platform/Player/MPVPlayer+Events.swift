import BatonCore
import BatonSeams

/// Handling of libmpv's events, and the reports to the hub.
extension MPVPlayer {
    func take(_ event: MPVCore.Event) {
        switch event {
        case .started(let file):
            deck.started(file)
            failure.startOver()
            correctCourse()
            settleEnd()
            stalls.restart()
        case .loaded: if deck.live != nil, let ms = deck.takeSeek() { move(toMs: ms) }
        case .restarted: restarted()
        case .ended(let file, let end): ended(file, end)
        case .changed("paused-for-cache", let value): buffering(value.flag ?? false)
        case .changed("metadata", _): describe()
        case .changed("current-ao", let value): output.driverChanged(value.text)
        case .changed("audio-device-list", let value): output.devicesChanged(AudioDevice.list(value))
        case .changed: break
        case .said(let text): failure.add(text)
        }
    }

    private func restarted() {
        guard let slot = deck.live else { return }
        guard !slot.hasBegun else { return position.seekEnded() }
        deck.began()
        settleRendering(of: slot)
        guard !slot.continues else { return wentOn(slot) }
        tell(.began(slot.entry))
        // The hub may have given another order in response to the report.
        guard deck.live?.order == slot.order else { return }
        position.begin()
        if let ms = deck.takeSeek() { move(toMs: ms) }
        describe()
        output.tryLater()
        endHandover()
    }

    private func ended(_ file: Int64, _ end: MPVCore.End) {
        setBuffering(false)
        let reachedMs = position.nowMs
        guard let slot = deck.ended(file) else { return }
        if ranOutDuringHandover(slot, at: reachedMs) || couldNotJoin(slot) { return }
        if handover?.order == slot.order { handover = nil }
        position.stop()
        // libmpv takes bytes that stop early for the end of the file.
        if let reason = files.takeFault(of: slot.order), end == .played || end == .failed(.loadingFailed) || end == .failed(.unknownFormat)
        {
            tell(.failed(slot.entry, reason: Failure.stopped(slot.playable, reason)))
            return restWhenIdle()
        }
        switch end {
        // An entry that starts or seeks behind its end has nothing left to play and has ended.
        case .played where slot.hasBegun, .failed(.nothingToPlay) where slot.hasBegun: ranOut(slot)
        case .played where slot.startMs > 0, .failed(.nothingToPlay) where slot.startMs > 0:
            if !slot.continues { tell(.began(slot.entry)) }
            ranOut(slot)
        case .played: tell(.failed(slot.entry, reason: Failure.silent(slot.playable)))
        case .redirected: tell(.failed(slot.entry, reason: Failure.playlist(slot.playable)))
        case .stopped: tell(.failed(slot.entry, reason: "“\(slot.playable.name)” was stopped by the player itself."))
        case .failed(let status):
            // The next entry may fail at once too, and each failure is reported.
            flush()
            failure.note(slot.entry, slot.playable, status: status)
        }
        restWhenIdle()
    }

    /// The end of an entry is reported only if nothing follows; otherwise the follower's `began` implies it.
    private func ranOut(_ slot: LoadedEntries.Slot) {
        guard deck.current == nil else { return }
        tellStop(of: slot)
        forgetStop(of: slot)
        tell(.ended(slot.entry))
    }

    private func buffering(_ missing: Bool) {
        guard setBuffering(missing), let slot = deck.live else { return }
        tell(.buffering(slot.entry, missing))
        movementChanged()
    }

    func movementChanged() {
        position.restart()
        output.tryLater()
    }

    /// Reports the pending failure. libmpv's log, which has the reason, arrives after the event for the failure.
    func flush() {
        if let news = failure.take() { report(news) }
    }

    /// Reports in order: a failure that waits for its reason is sent first.
    func tell(_ news: PlayerReport) {
        guard !life.isClosed else { return }
        flush()
        report(news)
    }
}
