package import BatonCore
package import BatonSeams

/// An entry that goes on from another place because its bytes end too early. libmpv plays all that it holds, and the other place
/// follows from the very moment at which that ends, so nothing is heard of the change.
extension MPVPlayer {
    struct Handover {
        let entry: EntryID
        let playable: Playable
        /// What comes behind the entry: it is loaded once the other place plays.
        var follower: (playable: Playable, entry: EntryID)?
    }

    private static let looks = 400
    private static let betweenLooks = Duration.milliseconds(5)

    package func goOn(with playable: Playable, as entry: EntryID) -> Bool {
        guard let slot = deck.live, slot.entry == entry, slot.hasBegun, handover == nil, playable.refusal == nil else { return false }
        handover = Handover(entry: entry, playable: playable, follower: deck.follower.map { ($0.playable, $0.entry) })
        deck.dropFollower()
        order { $0.command([.text("playlist-clear")]) }
        lookForEnd(of: slot, left: Self.looks)
        return true
    }

    /// Once libmpv has taken the last byte it is known how far it can play: a decoder's parser holds some of the sound back before.
    private func lookForEnd(of slot: LoadedEntries.Slot, left: Int) {
        order { [weak self] core in
            core.get("demuxer-cache-state") { _, state in
                guard let self, self.handover?.entry == slot.entry, self.deck.live?.order == slot.order else { return }
                guard state["eof"]?.flag == true || left == 0 else {
                    _ = self.reactor.after(Self.betweenLooks) { [weak self] in self?.lookForEnd(of: slot, left: left - 1) }
                    return
                }
                self.append(after: slot, atSeconds: state["cache-end"]?.number)
            }
        }
    }

    private func append(after slot: LoadedEntries.Slot, atSeconds seconds: Double?) {
        guard let playable = handover?.playable else { return }
        let heldMs = seconds.map { Int(($0 * 1000).rounded()) - slot.playable.offsetMs }
        guard let next = deck.goOn(with: playable, fromMs: max(0, heldMs ?? position.nowMs ?? 0)) else { return }
        open(next, "append-play")
    }

    /// The other place is heard.
    func wentOn(_ slot: LoadedEntries.Slot) {
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

    /// libmpv had played all that it held before the other place was loaded, which is then loaded at once.
    func ranOutDuringHandover(_ slot: LoadedEntries.Slot, at ms: Int?) -> Bool {
        guard let handover, handover.entry == slot.entry else { return false }
        if slot.continues { self.handover = nil }
        guard !slot.continues, deck.current == nil else { return false }
        open(deck.load(handover.playable, as: slot.entry, fromMs: ms ?? 0), "replace")
        return true
    }
}
