public import BatonCore
import BatonProtocol

extension ReconnectingHub {
    /// Settings for reconnecting and for repeating commands.
    public struct Settings: Sendable {
        /// Time limit for reconnecting after a lost connection; `nil` for no limit.
        public var patience: Duration?
        /// The time for which a command is valid and sent again.
        public var ttlMs = usualTTLMs
        /// Whether a person sees the screen of this remote, which makes waits shorter.
        public var isVisible = true
        /// Keeps the clock estimate up to date, which also detects a silent hub that is gone.
        public var keepsClock = false

        /// Validity of a command in milliseconds if the program chooses none.
        public static let usualTTLMs = Press.usualTTLMs

        /// Settings for a few commands.
        public static func brief(ttlMs: Milliseconds = usualTTLMs) -> Settings {
            Settings(patience: .milliseconds(ttlMs), ttlMs: ttlMs)
        }
        /// Settings for a screen that stays open.
        public static let lasting = Settings(patience: nil, keepsClock: true)
        /// Settings for a program without a screen, which may wait for a hub for days.
        public static let background = Settings(patience: nil, isVisible: false, keepsClock: true)

        /// The pause that the hub asks for; `nil` if another attempt is useless.
        static func retryMs(after error: any Error) -> Milliseconds? {
            guard let fault = error as? ConnectFault else { return nil }
            guard case .ended(let code?) = fault.code, let known = CloseCode(rawValue: code) else { return 0 }
            if case .retry(let afterMs) = known.advice { return afterMs }
            return nil
        }
    }
}
