import BatonCore
import BatonSeams

/// Which of libmpv's playlist entries is which of the room's.
///
/// A value. libmpv holds the entry that plays and at most one behind it, and moves on by itself,
/// maybe just while the room changes its mind. Everything libmpv says names its own entry, so a
/// late word about a replaced one finds no match here; and when libmpv has moved on to something
/// that was taken back, `courseCorrection` says what to order instead.
struct LoadedEntries: Equatable {
    struct Slot: Equatable {
        let entry: EntryID
        let playable: Playable
        let startUs: Int
        /// As libmpv is told with the file.
        let rendering: Rendering
        /// Where another place goes on to the sample.
        var joint: Joint?
        /// Tells two orders for the same entry apart.
        let order: Int
        /// libmpv's name for it, known once the order was answered.
        var file: Int64?
        /// libmpv arrives here by itself, not because it was told to drop what it does.
        var follows = false
        /// The same entry from another place; it has begun before.
        var continues = false
        var hasBegun = false
        /// A seek that came before there was sound.
        var seekMs: Int?

        var startMs: Int { startUs / 1000 }
        /// Where it begins when it is opened now.
        var openingUs: Int { seekMs.map { $0 * 1000 } ?? startUs }

        /// What has to be added to libmpv's position.
        var shiftUs: Int { joint?.shiftUs ?? -Playable.cutUs(ms: playable.offsetMs) }

        /// With that which begins it where it is joined.
        func filters(for sound: SoundFilters) -> String {
            PlayerOption.text(of: [joint?.filter].compactMap(\.self) + PlayerOption.filters(for: sound))
        }

        /// Both are said with each file: libmpv goes back to what was before when a file ends that has options of its own.
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
    /// What libmpv has started and not ended.
    private(set) var running: Int64?
    private var lastOrder = 0

    /// The current slot, when libmpv is at work on it and not on something older.
    var live: Slot? { running != nil && current?.file == running ? current : nil }

    /// The orders that are still wanted.
    var orders: [Int] { [current?.order, follower?.order].compactMap { $0 } }

    @discardableResult
    mutating func load(_ playable: Playable, as entry: EntryID, fromMs: Int, rendering: Rendering, continues: Bool = false) -> Slot {
        load(playable, as: entry, fromUs: fromMs * 1000, rendering: rendering, continues: continues)
    }

    mutating func load(_ playable: Playable, as entry: EntryID, fromUs: Int, rendering: Rendering, continues: Bool) -> Slot {
        var slot = newSlot(playable, entry, startUs: fromUs, rendering: rendering)
        slot.continues = continues
        current = slot
        follower = nil
        return slot
    }

    /// Nothing can follow when nothing plays.
    mutating func follow(with playable: Playable, as entry: EntryID, rendering: Rendering) -> Slot? {
        guard current != nil else { return nil }
        follower = newSlot(playable, entry, startUs: 0, rendering: rendering)
        follower?.follows = true
        return follower
    }

    /// The entry that plays goes on with this when its bytes have ended; to the sample where it is known which time stamp its first
    /// sample has.
    mutating func goOn(with playable: Playable, fromUs: Int, beginUs: Int?, rendering: Rendering) -> Slot? {
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

    mutating func seekLater(toMs ms: Int) { current?.seekMs = ms }

    mutating func takeSeek() -> Int? {
        defer { current?.seekMs = nil }
        return current?.seekMs
    }

    /// libmpv's answer to an order.
    mutating func name(_ file: Int64, order: Int) {
        if current?.order == order { current?.file = file }
        if follower?.order == order { follower?.file = file }
    }

    mutating func started(_ file: Int64) { running = file }

    mutating func began() { current?.hasBegun = true }

    /// The slot that ended, when the room still wants it; the follower takes its place.
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

    /// An order that libmpv refused takes its slot along.
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

    /// What to order when libmpv plays something that is not wanted any more. A slot that replaces
    /// needs none: libmpv gets to it whatever it does meanwhile.
    mutating func courseCorrection() -> Correction? {
        guard let running else { return nil }
        guard let slot = current else { return .halt }
        guard slot.follows, let file = slot.file, file != running else { return nil }
        current = newSlot(slot.playable, slot.entry, startUs: slot.openingUs, rendering: slot.rendering)
        current?.continues = slot.continues
        return current.map(Correction.replay)
    }

    private mutating func newSlot(_ playable: Playable, _ entry: EntryID, startUs: Int, rendering: Rendering) -> Slot {
        lastOrder += 1
        return Slot(entry: entry, playable: playable, startUs: max(0, startUs), rendering: rendering, order: lastOrder)
    }
}
