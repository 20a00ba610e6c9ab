public import BatonCore

/// Commands about the sleep timer.
extension Commands {
    /// Has the room fall silent by itself.
    public struct SleepSet: HubRequest {
        public static let kind = RequestKind.sleepSet
        public var wish: SleepWish
        /// A parameter that does not fit the end, and why.
        private var misfit: Misfit?

        private struct Misfit: Equatable, Sendable {
            var name: String
            var sentence: String
        }

        public init(_ wish: SleepWish) { self.wish = wish }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            let wish = value?.wish
            let end = try p.required("end", p.choice("end", wish?.end))
            let ms = try p.int("ms", wish.flatMap { $0.end == .time ? $0.amount : nil }, in: SleepWish.timeRange)
            let count = try p.int("n", wish.flatMap { $0.end.isCounted ? $0.amount : nil }, in: SleepWish.countRange)
            let fade = try p.int("fadeMs", wish?.fadeMs, in: SleepWish.fadeRange, default: 0)
            var set = Self(SleepWish(end, amount: (end == .time ? ms : count) ?? 1, fadeMs: fade))
            if end == .time, ms == nil { set.misfit = Misfit(name: "ms", sentence: "Say after how many ms of listening.") }
            if end != .time, ms != nil { set.misfit = Misfit(name: "ms", sentence: "A length belongs to “time”. Leave it out.") }
            if !end.isCounted, count != nil { set.misfit = Misfit(name: "n", sentence: "Only tracks and chapters count. Leave it out.") }
            return set
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard let misfit else { return }
            throw faults.fault(misfit.name, misfit.sentence)
        }

        package var request: Request { .room(.setSleep(wish)) }
    }
}

extension SleepEnd {
    /// Ends of this kind can be counted.
    fileprivate var isCounted: Bool { self == .track || self == .chapter }
}

extension Commands.SleepClear: HubRequest { package var request: Request { .room(.clearSleep) } }
