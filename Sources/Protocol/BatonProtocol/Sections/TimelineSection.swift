public import BatonCore

/// Where the room is: a line in the hub's monotonic time. A remote draws its progress from it and
/// needs to hear nothing more until the line changes.
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

    /// `nil` while nothing is current.
    public var entry: EntryID?
    public var positionMs: Int
    /// The hub's monotonic microsecond at which `positionMs` is, was or will be true.
    public var atUs: Int64
    /// Permille of normal speed; 0 while the position stands still.
    public var rate: Int
    public var state: PlayState
    /// Has no end and cannot be sought in.
    public var isLive: Bool

    package init(entry: EntryID?, positionMs: Int, atUs: Int64, rate: Int, state: PlayState, isLive: Bool = false) {
        self.entry = entry
        self.positionMs = positionMs
        self.atUs = atUs
        self.rate = rate
        self.state = state
        self.isLive = isLive
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { line in
            line.member("entry", ifPresent: entry?.text)
            line.member("posMs", positionMs)
            line.member("atUs", atUs)
            line.member("rate", rate)
            line.member("st", state.name)
            if isLive { line.member("live", true) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .timeline)
        entry = try fields.entry("entry")
        positionMs = try fields.required("posMs", fields.count("posMs"))
        atUs = try fields.required("atUs", fields.int64("atUs"))
        rate = try fields.required("rate", fields.count("rate"))
        state = PlayState(name: try fields.required("st", fields.text("st")))
        isLive = try fields.bool("live") ?? false
    }
}
