package import BatonCore
package import BatonSeams

/// An entry that goes on from another place because its bytes end too early.
///
/// libmpv keeps the file open at its end for that long, so that the place where its sound ends is known and not estimated. While it
/// holds more than `enough`, the first place is cut at a moment before its end and the other follows it from there without a gap.
/// With less, libmpv plays on to the end of its bytes: then its own position is that end, to the sample.
extension MPVPlayer {
    struct Handover {
        let entry: EntryID
        let playable: Playable
        /// The time stamp of its first sample.
        let beginUs: Int?
        /// What comes behind the entry: it is loaded once the other place plays.
        var follower: (playable: Playable, entry: EntryID)?
        /// That of the other place, once it is loaded.
        var order: Int?
    }

    private static let shortPause = Duration.milliseconds(5)
    private static let longPause = Duration.milliseconds(250)
    private static let manyLooks = 400
    /// More than the output holds, whose samples cannot be cut any more.
    private static let enoughUs = 500_000

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

    /// Once libmpv has taken the last byte it is known how far it can play: a decoder's parser holds some of the sound back before.
    private func lookForEnd(of slot: LoadedEntries.Slot, look: Int) {
        order { [weak self] core in
            core.get(["demuxer-cache-state", "audio-pts", "eof-reached", "time-pos"]) { answers in
                guard let self, self.isHandingOver(slot) else { return }
                let cut = self.cut(slot, answers[0], heardUs: answers[1].number.map(Self.us))
                if let cut { return self.append(after: slot, fileUs: cut, isCut: true) }
                // Once libmpv has given the last sample to the output its position is where that ends, whatever the output still holds.
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

    /// Where the first place can be cut: at a moment that is a whole number of samples at every usual rate. A file takes sound faster than
    /// it is heard, so what it is given may be beyond such a moment before libmpv knows of it.
    private func cut(_ slot: LoadedEntries.Slot, _ store: MPVNode, heardUs: Int?) -> Int? {
        if case .pcm = audio, !isPaused { return nil }
        guard store["eof"]?.flag == true, let heardUs, let endUs = store["cache-end"]?.number.map(Self.us),
            endUs - heardUs > Self.enoughUs
        else { return nil }
        return Playable.cutUs(before: endUs)
    }

    private static func us(_ seconds: Double) -> Int { Int((seconds * 1_000_000).rounded()) }

    private func append(after slot: LoadedEntries.Slot, fileUs: Int, isCut: Bool) {
        guard let playable = handover?.playable, let beginUs = handover.map(\.beginUs) else { return }
        let itemUs = max(0, fileUs + slot.shiftUs)
        // Of a part of a file everything may be there although the file's own end is not.
        if let lengthUs = slot.playable.lengthUs, itemUs >= lengthUs { return endHandover() }
        guard let next = deck.goOn(with: playable, fromUs: itemUs, beginUs: beginUs, rendering: rendering) else { return }
        handover?.order = next.order
        if isCut { order { $0.set("file-local-options/end", to: .text(Playable.seconds(us: fileUs))) } }
        let early = playable.opensLike(slot.playable)
        order { $0.set("prefetch-playlist", to: .flag(early)) }
        // libmpv opens it early with the options of the file that plays.
        if next.joint != nil { setOpening(Joint.opening) }
        open(next, "append-play")
    }

    /// The other place at once, in place of whatever libmpv plays.
    private func replace(by handover: Handover, startUs: Int, continues: Bool) {
        let slot = deck.load(handover.playable, as: handover.entry, fromUs: startUs, rendering: rendering, continues: continues)
        self.handover?.order = slot.order
        open(slot, "replace")
    }

    /// A seek while the places change: the first has no bytes any more, so the other begins where it goes. False when no place changes.
    func seekElsewhere(toMs ms: Int) -> Bool {
        guard let handover, deck.live?.entry == handover.entry, deck.live?.order != handover.order else { return false }
        position.stop()
        replace(by: handover, startUs: ms * 1000, continues: true)
        return true
    }

    private func setOpening(_ options: [PlayerOption]) {
        order { core in
            for option in options { core.set("file-local-options/\(option.name)", to: .text(option.value)) }
        }
    }

    /// The same place as a whole file, for a moment before the one where its rest was joined.
    func reopen(_ slot: LoadedEntries.Slot, atMs ms: Int) {
        let follower = deck.follower
        position.stop()
        open(deck.load(slot.playable, as: slot.entry, fromMs: ms, rendering: rendering, continues: true), "replace")
        if let follower { follow(with: follower.playable, as: follower.entry) }
    }

    /// The rest could not be opened as a segment, so the file is opened and libmpv seeks in it.
    func couldNotJoin(_ slot: LoadedEntries.Slot) -> Bool {
        guard slot.joint != nil, !slot.hasBegun, let handover, handover.order == slot.order, deck.current == nil else { return false }
        replace(by: handover, startUs: slot.openingUs, continues: true)
        return true
    }

    /// The other place is heard.
    func wentOn(_ slot: LoadedEntries.Slot) {
        if slot.joint != nil { setOpening(Joint.usual) }
        // Where the first place ran dry before, that has ended now.
        tell(.buffering(slot.entry, false))
        position.begin()
        if let ms = deck.takeSeek() { move(toMs: ms) }
        describe()
        endHandover()
    }

    /// Loads what follows the entry.
    func endHandover() {
        guard let ended = handover else { return }
        handover = nil
        if let follower = ended.follower { follow(with: follower.playable, as: follower.entry) }
    }

    /// The first place failed before the other was loaded, which is then loaded at once.
    func ranOutDuringHandover(_ slot: LoadedEntries.Slot, at ms: Int?) -> Bool {
        guard let handover, handover.entry == slot.entry, !slot.continues, deck.current == nil, handover.order == nil else { return false }
        replace(by: handover, startUs: (ms ?? 0) * 1000, continues: true)
        return true
    }

    /// libmpv ends files at their end again.
    func handoverChanged(from old: Handover?) {
        guard old != nil, handover == nil else { return }
        adjust { $0.set("keep-open", to: .text("no")) }
        goingOn.giveUp()
    }
}
