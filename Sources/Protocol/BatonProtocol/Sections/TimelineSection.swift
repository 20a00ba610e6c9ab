public import BatonCore

/// The position of a room as a line in the hub's monotonic time. A remote computes the position from it and
/// needs no further message until the line changes.
public struct TimelineSection: SectionContent {
    package static let section = Section.timeline

    /// Whether a room plays.
    public enum PlayState: Equatable, Sendable {
        case playing, paused, stopped
        /// Wants to play and waits for data.
        case buffering
        case unrecognised(String)

        package init(name: String) {
            self =
                switch name {
                case "playing": .playing
                case "paused": .paused
                case "stopped": .stopped
                case "buffering": .buffering
                default: .unrecognised(name)
                }
        }

        public var name: String {
            switch self {
            case .playing: "playing"
            case .paused: "paused"
            case .stopped: "stopped"
            case .buffering: "buffering"
            case .unrecognised(let name): name
            }
        }
    }

    /// `nil` if there is no current entry.
    public var entry: EntryID?
    public var positionMs: Int
    /// The hub's monotonic time at which the position is `positionMs`; it may be in the past or the future.
    public var atUs: Int64
    /// Permille of normal speed; 0 while the position does not change.
    public var rate: Int
    public var state: PlayState
    /// The stream has no end and no positions to seek to.
    public var isLive: Bool
    /// How long before `atUs` the sound of a station was received that is heard then; `nil` while it is heard as it comes.
    public var behindMs: Int?
    /// How far back from `atUs` the sound of a station is kept; `nil` where nothing is.
    public var pastMs: Int?

    package init(
        entry: EntryID?, positionMs: Int, atUs: Int64, rate: Int, state: PlayState, isLive: Bool = false, behindMs: Int? = nil,
        pastMs: Int? = nil
    ) {
        self.entry = entry
        self.positionMs = positionMs
        self.atUs = atUs
        self.rate = rate
        self.state = state
        self.isLive = isLive
        self.behindMs = behindMs
        self.pastMs = pastMs
    }
}
