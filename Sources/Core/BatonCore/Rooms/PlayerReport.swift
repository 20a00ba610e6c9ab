/// What a player tells the room it plays for. Reports enter by the same door as commands; a late
/// report about an entry that was already replaced is recognised by its entry and ignored.
package enum PlayerReport: Equatable, Sendable {
    /// The entry's sound is loaded and is what is heard from now on, whether it was ordered by
    /// `load` or followed without a gap.
    case began(EntryID)
    /// Where the player was at a moment of the hub's monotonic clock, from a line fitted to what
    /// the device really played. `rate` is permille, 0 while paused or waiting for data.
    case line(EntryID, positionMs: Int, atUs: Int64, rate: Int)
    /// How long before this moment the sound was received that is heard, and how far back the past goes that is kept of the station.
    /// Without an age it is heard as it comes.
    case past(EntryID, ageMs: Int?, reachMs: Int?, atUs: Int64)
    /// Data is missing (true), or has come again (false).
    case buffering(EntryID, Bool)
    /// No bytes have come for a while, and the sound that is held will soon be played.
    case starving(EntryID)
    /// What the file or stream says about itself. Only what it knows is filled in.
    case described(EntryID, Tags, SoundFormat?)
    /// The chapters of the entry, as its file names them.
    case chapters(EntryID, [ChapterList.Mark])
    /// The entry played to its end and nothing follows: the player has run dry. Where a follower
    /// takes over, its `began` says all there is to say. An entry that never began `failed`.
    case ended(EntryID)
    /// The entry cannot be played. The reason is a sentence for people.
    case failed(EntryID, reason: String)
    /// The entry's source is away, so that it cannot be played now and may be later.
    case away(EntryID, reason: String)
    /// The output device: `nil` when sound comes out again, else a sentence about what is wrong.
    case outputTrouble(String?)
    /// The devices that can be chosen now.
    case devices([AudioDevice])
}

/// An output that the player could use.
package struct AudioDevice: Equatable, Sendable {
    /// What the player calls it, as in `pulse/room1`.
    package var name: String
    /// What people call it.
    package var label: String

    package init(name: String, label: String) {
        self.name = name
        self.label = label
    }
}
