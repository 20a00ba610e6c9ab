package import BatonCore
package import BatonSeams

/// Continues an entry from another source because its bytes end too early.
///
/// libmpv holds the file open at its end during this time, so that the end of its sound is measured and not estimated. If libmpv holds more
/// than `enough` sound, the first source is cut before its end and the other one follows without a gap. With less, libmpv plays to the end
/// of its bytes, and its own position is that end, to the sample.
extension MPVPlayer {
    struct Handover {
        let entry: EntryID
        let playable: Playable
        /// Time stamp of the first sample in the other source.
        let beginUs: Microseconds?
        /// The next entry, which is loaded once the other source plays.
        var follower: (playable: Playable, entry: EntryID)?
        /// Order of the other source, once it is loaded.
        var order: Int?
    }

    private static let shortPause = Duration.milliseconds(5)
    private static let longPause = Duration.milliseconds(250)
    private static let manyLooks = 400
    /// More sound than the output holds, which can no longer be cut.
    private static let enoughUs: Microseconds = 500_000

    package func goOn(with playable: Playable, as entry: EntryID) async -> Bool {
        guard handover == nil, playable.refusal == nil else { return false }
        let beginUs = await SoundBeginning.us(of: playable)
        guard let slot = deck.current, slot.entry == entry, handover == nil else { return false }
        let handover = Handover(
            entry: entry, playable: playable, beginUs: beginUs, follower: deck.follower.map { ($0.playable, $0.entry) })
        self.handover = handover
        guard slot.hasBegun else {
            replace(by: handover, startUs: slot.openingUs, continues: slot.continues)
            return true
        }
        deck.dropFollower()
        order { $0.command([.text("playlist-clear")]) }
        return await goingOn.ask { ticket in
            order { [weak self] core in
                core.set("keep-open", to: .text("yes")) { status, _ in
                    guard let self else { return }
                    let isWanted = status.isGood && self.isHandingOver(slot)
                    if isWanted { self.lookForEnd(of: slot, look: 0) }
                    self.goingOn.give(isWanted, to: ticket)
                }
            }
        } ?? false
    }

    private func isHandingOver(_ slot: LoadedEntries.Slot) -> Bool {
        handover.map { $0.entry == slot.entry && $0.order == nil } == true && deck.live?.order == slot.order
    }

    /// Finds the end of the sound. It is known once libmpv has read the last byte; before that, a decoder's parser holds some sound back.
    private func lookForEnd(of slot: LoadedEntries.Slot, look: Int) {
        order { [weak self] core in
            core.get(["demuxer-cache-state", "audio-pts", "eof-reached", "time-pos"]) { answers in
                guard let self, self.isHandingOver(slot) else { return }
                let cut = self.cut(slot, answers[0], heardUs: answers[1].number.map(Self.us))
                if let cut { return self.append(after: slot, fileUs: cut, isCut: true) }
                // Once libmpv has given the last sample to the output, its position is the end, even if the output still holds sound.
                if answers[2].flag == true, let endUs = answers[3].number.map(Self.us) {
                    return self.append(after: slot, fileUs: endUs, isCut: false)
                }
                let pause = self.isPaused || look > Self.manyLooks ? Self.longPause : Self.shortPause
                _ = self.reactor.after(pause) { [weak self] in
                    if let self, self.isHandingOver(slot) { self.lookForEnd(of: slot, look: look + 1) }
                }
            }
        }
    }

    /// The position to cut the first source at: a whole number of samples at every usual rate. There is none while playing to a file, which
    /// accepts sound faster than it is heard and may already be past the position.
    private func cut(_ slot: LoadedEntries.Slot, _ store: MPVNode, heardUs: Microseconds?) -> Microseconds? {
        if case .pcm = audio, !isPaused { return nil }
        guard store["eof"]?.flag == true, let heardUs, let endUs = store["cache-end"]?.number.map(Self.us),
            endUs - heardUs > Self.enoughUs
        else { return nil }
        return Playable.cutUs(before: endUs)
    }

    private static func us(_ seconds: Double) -> Microseconds { Microseconds((seconds * 1_000_000).rounded()) }

    private func append(after slot: LoadedEntries.Slot, fileUs: Microseconds, isCut: Bool) {
        guard let playable = handover?.playable, let beginUs = handover.map(\.beginUs) else { return }
        let itemUs = max(0, fileUs + slot.shiftUs)
        // A part of a file may be complete although the file's end is missing.
        if let lengthUs = slot.playable.lengthUs, itemUs >= lengthUs { return endHandover() }
        guard let next = deck.goOn(with: playable, fromUs: itemUs, beginUs: beginUs, rendering: rendering) else { return }
        handover?.order = next.order
        if isCut { order { $0.set("file-local-options/end", to: .text(Playable.seconds(us: fileUs))) } }
        let early = playable.opensLike(slot.playable)
        order { $0.set("prefetch-playlist", to: .flag(early)) }
        // libmpv opens it early with the options of the current file.
        if next.joint != nil { setOpening(Joint.opening) }
        open(next, "append-play")
    }

    /// Loads the other source at once and drops the current one.
    private func replace(by handover: Handover, startUs: Microseconds, continues: Bool) {
        let slot = deck.load(handover.playable, as: handover.entry, fromUs: startUs, rendering: rendering, continues: continues)
        self.handover?.order = slot.order
        open(slot, "replace")
    }

    /// Seeks during a handover: the first source has no more bytes, so the other one starts at the target. False if no handover is under
    /// way.
    func seekElsewhere(toMs ms: Milliseconds) -> Bool {
        guard let handover, deck.live?.entry == handover.entry, deck.live?.order != handover.order else { return false }
        position.stop()
        replace(by: handover, startUs: Microseconds(ms), continues: true)
        return true
    }

    private func setOpening(_ options: [PlayerOption]) {
        order { core in
            for option in options { core.set("file-local-options/\(option.name)", to: .text(option.value)) }
        }
    }

    /// Opens the same source as a whole file, for a position before the joint.
    func reopen(_ slot: LoadedEntries.Slot, atMs ms: Milliseconds) {
        let follower = deck.follower
        position.stop()
        open(deck.load(slot.playable, as: slot.entry, fromMs: ms, rendering: rendering, continues: true), "replace")
        if let follower { follow(with: follower.playable, as: follower.entry) }
    }

    /// Opens the whole file and seeks in it, if opening the segment failed.
    func couldNotJoin(_ slot: LoadedEntries.Slot) -> Bool {
        guard slot.joint != nil, !slot.hasBegun, let handover, handover.order == slot.order, deck.current == nil else { return false }
        replace(by: handover, startUs: slot.openingUs, continues: true)
        return true
    }

    /// Called when the other source is heard.
    func wentOn(_ slot: LoadedEntries.Slot) {
        if slot.joint != nil { setOpening(Joint.usual) }
        // Ends the buffering report, in case the first source ran out of data.
        tell(.buffering(slot.entry, false))
        position.begin()
        if let ms = deck.takeSeek() { move(toMs: ms) }
        describe()
        endHandover()
    }

    /// Loads the next entry.
    func endHandover() {
        guard let ended = handover else { return }
        handover = nil
        if let follower = ended.follower { follow(with: follower.playable, as: follower.entry) }
    }

    /// Loads the other source at once, if the first one failed before it was loaded.
    func ranOutDuringHandover(_ slot: LoadedEntries.Slot, at ms: Milliseconds?) -> Bool {
        guard let handover, handover.entry == slot.entry, !slot.continues, deck.current == nil, handover.order == nil else { return false }
        replace(by: handover, startUs: Microseconds(ms ?? 0), continues: true)
        return true
    }

    /// Restores libmpv's usual behaviour at the end of a file.
    func handoverChanged(from old: Handover?) {
        guard old != nil, handover == nil else { return }
        adjust { $0.set("keep-open", to: .text("no")) }
        goingOn.giveUp()
    }
}
