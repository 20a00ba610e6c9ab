import BatonProtocol

extension SteadyHub {
    /// How a client reconnects, and how long it repeats a command.
    public struct Manner: Sendable {
        /// How long to try after a connection was lost; `nil` is for ever.
        public var patience: Duration?
        /// For how long a command is wanted, and so sent again.
        public var ttlMs = usualTTLMs
        /// Whether a person sees the screen of this remote, which makes waits shorter.
        public var isVisible = true
        /// Keeps the hub's clock known, and so finds out that a silent hub has gone.
        public var keepsClock = false

        public static let usualTTLMs = Press.usualTTLMs

        /// For a few commands and out.
        public static func brief(ttlMs: Int = usualTTLMs) -> Manner {
            Manner(patience: .milliseconds(ttlMs), ttlMs: ttlMs)
        }
        /// For a screen that stays.
        public static let lasting = Manner(patience: nil, keepsClock: true)

        /// How long the hub asks to be left alone, or `nil` when trying again is of no use.
        static func retryMs(after error: any Error) -> Int? {
            guard let fault = error as? ConnectFault else { return nil }
            guard case .ended(let code?) = fault.code, let known = CloseCode(rawValue: code) else { return 0 }
            if case .retry(let afterMs) = known.advice { return afterMs }
            return nil
        }
    }
}
