/// Reports of a player to the room that it plays for. Reports are handled like commands; a late report about an entry that was already replaced is
/// recognised by its entry and ignored.
package enum PlayerReport: Equatable, Sendable {
    /// The entry's sound is loaded and audible from now on, whether it was ordered by `load` or followed without a gap.
    case began(EntryID)
    /// The player's position at a moment of the hub's monotonic clock, from a line fitted to what the device really played. `rate` is permille, 0
    /// while paused or waiting for data.
    case line(EntryID, positionMs: Milliseconds, atUs: Microseconds, rate: Int)
    /// The age of the sound that a station's player outputs now, and how far back the recorded past of the station goes. Without an age the sound is
    /// live.
    case past(EntryID, ageMs: Milliseconds?, reachMs: Milliseconds?, atUs: Microseconds)
    /// Data is missing (true), or has come again (false).
    case buffering(EntryID, Bool)
    /// No bytes have come for a while, and the buffered sound will soon run out.
    case starving(EntryID)
    /// Tags that the file or stream holds. Only known fields are filled in.
    case described(EntryID, Tags, SoundFormat?)
    /// The chapters of the entry, as its file names them.
    case chapters(EntryID, [ChapterList.Mark])
    /// The entry played to its end and nothing follows, so the player has run dry. When a follower takes over, its `began` reports that instead. An
    /// entry that never began is `failed`.
    case ended(EntryID)
    /// The entry cannot be played. The reason is a sentence for people.
    case failed(EntryID, reason: String)
    /// The entry's source is unavailable now and may be back later.
    case away(EntryID, reason: String)
    /// The state of the output device: `nil` when sound comes out again, else a sentence about the problem.
    case outputTrouble(String?)
    /// The output devices that can be chosen now.
    case devices([AudioDevice])
}

/// An output that the player could use.
package struct AudioDevice: Equatable, Sendable {
    /// The player's name of the device, as in `pulse/room1`.
    package var name: String
    /// The name that people read.
    package var label: String

    package init(name: String, label: String) {
        self.name = name
        self.label = label
    }
}
