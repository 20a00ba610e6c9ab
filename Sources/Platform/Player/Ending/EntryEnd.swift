import BatonCore
import BatonSeams

/// The position at which the room wants an entry to end, and the end that libmpv was told for it.
///
/// A value. libmpv has an option for the end of each file, which has to be told again only when it changes.
struct EntryEnd: Equatable {
    /// An end on libmpv's time scale.
    private struct Told: Equatable {
        var order: Int
        var end: String
    }

    private var wanted: PlayerStop?
    private var told: Told?

    mutating func want(_ stop: PlayerStop?) { wanted = stop }

    /// The position at which this entry is to end, if the room has set one.
    func stop(of entry: EntryID) -> PlayerStop? { wanted?.entry == entry ? wanted : nil }

    /// The end to tell libmpv for its current entry; `nil` if it knows. If the room sets none, the file's own end is restored.
    mutating func settle(for slot: LoadedEntries.Slot) -> String? {
        let wanted = stop(of: slot.entry).map {
            Told(order: slot.order, end: Playable.plainSeconds(us: max(0, slot.playerUs(Microseconds($0.atMs)))))
        }
        guard wanted != told else { return nil }
        told = wanted
        return wanted?.end ?? slot.playable.endMs.map { Playable.seconds(cutMs: $0) } ?? "none"
    }

    /// Clears the position when its entry has ended; true if libmpv has an end that must be taken back.
    mutating func forget(_ entry: EntryID) -> Bool {
        if wanted?.entry == entry { wanted = nil }
        defer { told = nil }
        return told != nil
    }

    /// Notes that libmpv is made anew, and has been told nothing.
    mutating func startOver() { told = nil }
}
