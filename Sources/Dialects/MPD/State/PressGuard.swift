import BatonCore

/// Decides which entry a press means on a connection whose protocol names none.
///
/// A person who presses `next` means the song that the remote shows. When it has just ended by itself, the press must not skip the one after it. The
/// hub cannot know what a remote shows, only what it was told, and for how long something else has been playing: a remote that has not asked for a
/// second shows nothing, or is not looked at.
struct PressGuard: Equatable {
    /// Time for which a press still means the song before.
    static let overlapUs: Microseconds = 1_000_000

    /// The entry that the connection was last told is current; `nil` when it was told of none.
    private(set) var told: EntryID?

    /// Notes what an answer said is current. After the connection's own `next` that is the entry which follows, so a second press counts again.
    mutating func tell(_ entry: EntryID?) { told = entry }

    /// The entry that a press now means. `sinceUs` is the time since which `current` is current.
    func meant(current: EntryID?, sinceUs: Microseconds, nowUs: Microseconds) -> EntryID? {
        guard let told, told != current, nowUs - sinceUs < Self.overlapUs else { return current }
        return told
    }
}
