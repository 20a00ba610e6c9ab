/// Requests to a room. Every remote, dialect and timer ends up here, after permissions and limits were checked and sources were asked, so carrying
/// one out needs no input from outside.
package enum Command: Equatable, Sendable {
    /// Resumes, or starts the named entry.
    case play(entry: EntryID? = nil, positionMs: Milliseconds? = nil)
    /// Pauses at the present position.
    case pause
    /// Stops, and goes back to the beginning of the entry.
    case stop
    /// `from` is the entry the person was looking at; if another one is current by now, nothing happens.
    case next(from: EntryID?, count: Int = 1)
    /// Goes back, or to the start of the current entry when more than `restartMs` of it has played.
    case previous(from: EntryID?, restartMs: Milliseconds = 3000)
    /// Plays the entry from its beginning, or from the person's place in it.
    case jump(EntryID)
    /// Goes to a position of the current entry; with an `entry`, only if that is the current one.
    case seek(entry: EntryID?, toMs: Milliseconds)
    /// Goes forward by this much, or back where negative.
    case skip(entry: EntryID?, byMs: Milliseconds)
    /// Seeks to the beginning of a chapter of the current entry.
    case chapter(entry: EntryID?, ChapterTarget)
    /// Goes to another moment of what the hub has received of the current station.
    case rewind(entry: EntryID?, to: RewindTarget)

    /// Sets the volume from 0 to 100, within the limits of the room.
    case setLevel(Int)
    /// Changes the volume by this much, within the limits of the room.
    case stepLevel(by: Int)
    /// Silences the room or ends that; the level stays.
    case setMute(Bool)

    /// Changes some of the modes.
    case setModes(ModeChange)
    /// Sets whether quiet speech is raised, and whether silences in speech are skipped.
    case setSpeech(raisesVoice: Bool?, trims: Bool?)
    /// Begins the sleep timer, or replaces the one that runs.
    case setSleep(SleepWish)
    /// Ends the sleep timer, and the offer of positions after one.
    case clearSleep

    case add([NewEntry], at: InsertionPoint)
    /// Removes entries; ids that have left the queue are ignored.
    case remove([EntryID])
    /// Moves entries together, in the given order.
    case move([EntryID], to: InsertionPoint)
    /// Commands for the whole queue name the queue revision that they were made for; `nil` skips that check.
    case clear(base: Int?, keep: QueueRemainder)
    /// Replaces the queue and begins at an index of the new entries, playing or stopped there.
    case replace(base: Int?, with: [NewEntry], start: Int, positionMs: Milliseconds, play: Bool)
    /// Draws a new order for the entries behind the current one, once; the shuffle mode stays as it is.
    case shuffle(base: Int?)
    /// Undoes the last clear, replace, remove, move or shuffle of any person.
    case undo
}

/// An item on its way into a queue.
public struct NewEntry: Equatable, Sendable {
    package var uri: ItemURI
    /// The tags as its source knows them now.
    package var tags: Tags
    /// The trust that the item was named with; `nil` means that of the client that asks now.
    package var trust: Trust?
    /// The guest whose share of the queue this entry counts towards, where shares are limited.
    package var share: String?
    /// Other places of the same track, best first (`QueueEntry.alternatives`).
    package var alternatives: [ItemURI]
    /// The person who asked for an item that was played.
    package var askedBy: String?

    package init(uri: ItemURI, tags: Tags, trust: Trust? = nil, share: String? = nil, alternatives: [ItemURI] = [], askedBy: String? = nil)
    {
        self.askedBy = askedBy
        self.uri = uri
        self.tags = tags
        self.trust = trust
        self.share = share
        self.alternatives = alternatives
    }
}

/// A position in a queue for new or moved entries.
public enum InsertionPoint: Equatable, Sendable {
    /// Directly behind the current entry.
    case next
    case end
    /// Behind this entry, or at the head when it is `nil`. With `orEnd`, a vanished anchor means the end.
    case after(EntryID?, orEnd: Bool = false)
}

/// The entries that survive a `clear`.
public enum QueueRemainder: String, Sendable, CaseIterable {
    case none, current
}
