public import BatonCore

/// `listeners`: who is in a room, and how far a vote for skipping what plays has come.
public struct ListenersSection: SectionContent {
    package static let section = Section.listeners

    /// One person or device, however many connections it has.
    public struct Listener: Equatable, Sendable {
        /// Tells it from others of the same name. `welcome` says which one a client is itself.
        public var who: String
        public var name: String
        public var role: Role
        /// The name of the paired device it uses; `nil` where it uses none.
        public var device: String?
        /// Since when it has been in the room without a break, in ms of the wall clock.
        public var sinceMs: Int64
        /// It plays the room's sound itself. Others look, and hear the room's own outputs if they are near them.
        public var hears: Bool
        /// What it says of its own sound.
        public var report: ListenerReport?

        package init(
            who: String, name: String, role: Role, device: String? = nil, sinceMs: Int64, hears: Bool = false, report: ListenerReport? = nil
        ) {
            self.who = who
            self.name = name
            self.role = role
            self.device = device
            self.sinceMs = sinceMs
            self.hears = hears
            self.report = report
        }
    }

    /// The rule of the room for voting, and the votes for skipping its current entry.
    public struct Vote: Equatable, Sendable {
        /// Permille of those who hear that it takes.
        public var share: Int
        /// `nil` while there are no votes.
        public var entry: EntryID?
        public var count: Int
        public var needed: Int

        package init(share: Int, entry: EntryID?, count: Int, needed: Int) {
            self.share = share
            self.entry = entry
            self.count = count
            self.needed = needed
        }
    }

    /// Newest first.
    public var listeners: [Listener]
    /// How many are left out.
    public var more: Int
    /// `nil` where the room does not vote.
    public var vote: Vote?

    package init(_ listeners: [Listener], more: Int = 0, vote: Vote? = nil) {
        self.listeners = listeners
        self.more = more
        self.vote = vote
    }

    /// A section of the largest size cannot hold more.
    package static let mostListed = Section.listeners.cap / 70
}
