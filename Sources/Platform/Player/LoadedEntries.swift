import BatonCore
import BatonSeams

/// Maps entries of libmpv's playlist to entries of the room.
///
/// A value. libmpv holds the current entry and at most one behind it, and moves on by itself, perhaps at the moment when the room replaces
/// that entry. Every event of libmpv names its entry, so a late event about a replaced entry matches nothing here. If libmpv has moved on to an entry
/// that was withdrawn, `courseCorrection` returns the command to send.
struct LoadedEntries: Equatable {
    struct Slot: Equatable {
        let entry: EntryID
        let playable: Playable
        let startUs: Microseconds
        /// The rendering that libmpv got with the file.
        let rendering: Rendering
        /// The joint, if the entry continues from another source without a gap.
        var joint: Joint?
        /// Distinguishes two orders for the same entry.
        let order: Int
        /// libmpv's number for the entry, known once it has answered the order.
        var file: Int64?
        /// True if libmpv reaches the entry by itself, false if it was told to drop the current one.
        var follows = false
        /// True for an entry that continues from another source; it began before.
        var continues = false
        var hasBegun = false
        /// A seek that arrived before there was sound.
        var seekMs: Milliseconds?

        var startMs: Milliseconds { Milliseconds(startUs) }
        /// Start position for an opening now.
        var openingUs: Microseconds { seekMs.map { Microseconds($0) } ?? startUs }

        /// Offset to add to libmpv's position.
        var shiftUs: Microseconds { joint?.shiftUs ?? -Playable.cutUs(ms: playable.offsetMs) }

        /// The filters for the sound, with the one for a joint first.
        func filters(for sound: SoundFilters) -> String {
            PlayerOption.text(of: [joint?.filter].compactMap(\.self) + PlayerOption.filters(for: sound))
        }

        /// Both options are set for each file, because libmpv restores the earlier values after a file with options of its own.
        func renderingOptions(keepsPitch: Bool) -> [MPVNode.Pair] {
            [
                MPVNode.Pair(key: "speed", value: .text("\(PlayerOption.speed(permille: rendering.speed, keepsPitch: keepsPitch))")),
                MPVNode.Pair(key: "af", value: .text(filters(for: rendering.filters))),
            ]
        }
    }

    enum Correction: Equatable {
        case replay(Slot)
        case halt
    }

    private(set) var current: Slot?
    private(set) var follower: Slot?
    /// The entry that libmpv has started and not ended.
    private(set) var running: Int64?
    private var lastOrder = 0

    /// The current slot, if libmpv plays it and not an older one.
    var live: Slot? { running != nil && current?.file == running ? current : nil }

    /// Orders that are still wanted.
    var orders: [Int] { [current?.order, follower?.order].compactMap { $0 } }

    @discardableResult
    mutating func load(_ playable: Playable, as entry: EntryID, fromMs: Milliseconds, rendering: Rendering, continues: Bool = false) -> Slot
    {
        load(playable, as: entry, fromUs: Microseconds(fromMs), rendering: rendering, continues: continues)
    }

    mutating func load(_ playable: Playable, as entry: EntryID, fromUs: Microseconds, rendering: Rendering, continues: Bool) -> Slot {
        var slot = newSlot(playable, entry, startUs: fromUs, rendering: rendering)
        slot.continues = continues
        current = slot
        follower = nil
        return slot
    }

    /// A follower needs a current entry.
    mutating func follow(with playable: Playable, as entry: EntryID, rendering: Rendering) -> Slot? {
        guard current != nil else { return nil }
        follower = newSlot(playable, entry, startUs: 0, rendering: rendering)
        follower?.follows = true
        return follower
    }

    /// Continues the current entry with this playable when its bytes end. There is no gap if the time stamp of its first sample is known.
    mutating func goOn(with playable: Playable, fromUs: Microseconds, beginUs: Microseconds?, rendering: Rendering) -> Slot? {
        guard let entry = current?.entry else { return nil }
        follower = newSlot(playable, entry, startUs: fromUs, rendering: rendering)
        if fromUs > 0, let beginUs { follower?.joint = Joint(playable, startUs: fromUs, beginUs: beginUs) }
        follower?.follows = true
        follower?.continues = true
        return follower
    }

    mutating func dropFollower() { follower = nil }

    mutating func clear() {
        current = nil
        follower = nil
    }

    mutating func seekLater(toMs ms: Milliseconds) { current?.seekMs = ms }

    mutating func takeSeek() -> Milliseconds? {
        defer { current?.seekMs = nil }
        return current?.seekMs
    }

    /// Stores libmpv's number for an order.
    mutating func name(_ file: Int64, order: Int) {
        if current?.order == order { current?.file = file }
        if follower?.order == order { follower?.file = file }
    }

    mutating func started(_ file: Int64) { running = file }

    mutating func began() { current?.hasBegun = true }

    /// The slot that ended, if the room still wants it; the follower takes its place.
    mutating func ended(_ file: Int64) -> Slot? {
        if running == file { running = nil }
        guard let slot = current, slot.file == file else {
            if follower?.file == file { follower = nil }
            return nil
        }
        current = follower
        follower = nil
        return slot
    }

    /// Removes the slot of an order that libmpv refused.
    mutating func refused(order: Int) -> Slot? {
        if let slot = current, slot.order == order {
            current = follower
            follower = nil
            return slot
        }
        if let slot = follower, slot.order == order {
            follower = nil
            return slot
        }
        return nil
    }

    /// The command to send if libmpv plays an entry that is not wanted. A slot that replaces another needs none, because libmpv reaches it
    /// in any case.
    mutating func courseCorrection() -> Correction? {
        guard let running else { return nil }
        guard let slot = current else { return .halt }
        guard slot.follows, let file = slot.file, file != running else { return nil }
        current = newSlot(slot.playable, slot.entry, startUs: slot.openingUs, rendering: slot.rendering)
        current?.continues = slot.continues
        return current.map(Correction.replay)
    }

    private mutating func newSlot(_ playable: Playable, _ entry: EntryID, startUs: Microseconds, rendering: Rendering) -> Slot {
        lastOrder += 1
        return Slot(entry: entry, playable: playable, startUs: max(0, startUs), rendering: rendering, order: lastOrder)
    }
}
