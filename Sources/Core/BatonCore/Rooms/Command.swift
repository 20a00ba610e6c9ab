/// Requests to a room. Every remote, dialect and timer ends up here, after permissions and limits were checked and sources were asked, so carrying
/// one out needs no input from outside.
package enum Command: Equatable, Sendable {
    /// Resumes, or starts the named entry.
    case play(entry: EntryID? = nil, positionMs: Int? = nil)
    case pause
    case stop
    /// `from` is the entry the person was looking at; if another one is current by now, nothing happens.
    case next(from: EntryID?, count: Int = 1)
    /// Goes back, or to the start of the current entry when more than `restartMs` of it has played.
    case previous(from: EntryID?, restartMs: Int = 3000)
    case jump(EntryID)
    case seek(entry: EntryID?, toMs: Int)
    case skip(entry: EntryID?, byMs: Int)
    /// Seeks to the beginning of a chapter of the current entry.
    case chapter(entry: EntryID?, ChapterTarget)
    /// Goes to another moment of what the hub has received of the current station.
    case rewind(entry: EntryID?, to: PastTarget)

    case setLevel(Int)
    case stepLevel(by: Int)
    case setMute(Bool)

    case setModes(ModeChange)
    /// Sets whether quiet speech is raised, and whether silences in speech are skipped.
    case setSpeech(raisesVoice: Bool?, trims: Bool?)
    case setSleep(SleepWish)
    case clearSleep

    case add([NewEntry], at: Place)
    case remove([EntryID])
    case move([EntryID], to: Place)
    /// Commands for the whole queue name the queue revision that they were made for; `nil` skips that check.
    case clear(base: Int?, keep: Keep)
    case replace(base: Int?, with: [NewEntry], start: Int, positionMs: Int, play: Bool)
    /// Draws a new order for the entries behind the current one, once; the shuffle mode stays as it is.
    case shuffle(base: Int?)
    /// Undoes the last clear, replace, remove, move or shuffle of any person.
    case undo
}

/// An item on its way into a queue.
public struct NewEntry: Equatable, Sendable {
    package var uri: ItemURI
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
public enum Place: Equatable, Sendable {
    /// Directly behind the current entry.
    case next
    case end
    /// Behind this entry, or at the head when it is `nil`. With `orEnd`, a vanished anchor means the end.
    case after(EntryID?, orEnd: Bool = false)
}

/// The entries that survive a `clear`.
public enum Keep: String, Sendable, CaseIterable {
    case none, current
}
