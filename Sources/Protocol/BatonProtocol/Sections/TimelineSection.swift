/// The position of a room as a line in the hub's monotonic time. A remote computes the position from it and
/// needs no further message until the line changes.
extension TimelineSection {
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
}
