/// What can be asked of a room. Every remote, dialect and timer ends up here, after permission and
/// limits were checked and sources were asked; what arrives holds nothing that could fail outside.
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
    /// To the beginning of a chapter of the current entry.
    case chapter(entry: EntryID?, ChapterTarget)
    /// To another moment of what the hub has received of the station that is current.
    case rewind(entry: EntryID?, to: PastTarget)

    case setLevel(Int)
    case stepLevel(by: Int)
    case setMute(Bool)

    case setModes(ModeChange)
    /// Whether quiet speech is raised, and whether its silences are left out.
    case setSpeech(raisesVoice: Bool?, trims: Bool?)
    case setSleep(SleepWish)
    case clearSleep

    case add([NewEntry], at: Place)
    case remove([EntryID])
    case move([EntryID], to: Place)
    /// Whole-queue commands name the queue revision they were made for; `nil` asks for no such check.
    case clear(base: Int?, keep: Keep)
    case replace(base: Int?, with: [NewEntry], start: Int, positionMs: Int, play: Bool)
    /// Draws a new order for what lies behind the current entry, once; the mode stays as it is.
    case shuffle(base: Int?)
    /// Takes back the last clear, replace, remove, move or shuffle of any person.
    case undo
}

/// An item on its way into a queue.
public struct NewEntry: Equatable, Sendable {
    package var uri: ItemURI
    package var tags: Tags
    /// With which it was named; `nil` is that of the client that asks now.
    package var trust: Trust?
    /// Whose part of the queue it takes up, where that part is limited.
    package var share: String?
    /// Other places of the same track, best first (`QueueEntry.alternatives`).
    package var alternatives: [ItemURI]
    /// Who asked for it, of an item that was played.
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

/// Where in a queue something goes.
public enum Place: Equatable, Sendable {
    /// Right behind the entry that is current.
    case next
    case end
    /// Behind this entry, or at the head when it is `nil`. With `orEnd`, a vanished anchor means the end.
    case after(EntryID?, orEnd: Bool = false)
}

/// What survives a `clear`.
public enum Keep: String, Sendable, CaseIterable {
    case none, current
}
