extension SourcesSection {
    /// Whether a source can be used.
    public enum State: Equatable, Sendable {
        case ok
        /// It was not asked yet, or is being asked.
        case checking
        /// It cannot be used now; the hub asks it again by itself.
        case down
        /// Its owner has switched it off.
        case disabled
        /// Something is missing, so it is not asked.
        case unconfigured
        case unrecognised(String)

        private static let known: [State] = [.ok, .checking, .down, .disabled, .unconfigured]

        package init(name: String) { self = Self.known.first { $0.name == name } ?? .unrecognised(name) }

        public var name: String {
            switch self {
            case .ok: "ok"
            case .checking: "checking"
            case .down: "down"
            case .disabled: "disabled"
            case .unconfigured: "unconfigured"
            case .unrecognised(let name): name
            }
        }
    }
}
