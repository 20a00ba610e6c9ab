public import BatonCore

/// The hub itself, and the problems that a person should solve.
public struct HubSection: SectionContent {
    package static let section = Section.hub

    /// A problem that a person should solve.
    public struct Problem: Equatable, Sendable {
        /// `nil` when it concerns the whole hub.
        public var room: RoomID?
        /// A sentence for people.
        public var message: String

        package init(room: RoomID? = nil, _ message: String) {
            self.room = room
            self.message = message
        }
    }

    /// The work of the hub waits after crashes, until `hub.resume`.
    public struct Held: Equatable, Sendable {
        /// One start after the other.
        public var crashes: Int
        /// The name of the signal of the last one, such as `SIGSEGV`.
        public var signal: String
        /// When the last one was, by the hub's wall clock.
        public var atMs: Int64

        package init(crashes: Int, signal: String, atMs: Int64) {
            self.crashes = crashes
            self.signal = signal
            self.atMs = atMs
        }
    }

    public var id: String
    public var name: String
    public var version: String
    /// Until when a pairing window is open, by the hub's monotonic clock; `nil` while none is.
    public var pairingUntilUs: Int64?
    /// `nil` while no work is held.
    public var held: Held?
    /// Newest first.
    public var problems: [Problem]
    public var more: Int

    package init(
        id: String, name: String, version: String, pairingUntilUs: Int64? = nil, held: Held? = nil, problems: [Problem] = [],
        more: Int = 0
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.pairingUntilUs = pairingUntilUs
        self.held = held
        self.problems = problems
        self.more = more
    }
}
