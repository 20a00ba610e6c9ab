public import BatonCore

/// Commands about music without end, and about other pieces from the plan of one.
extension Commands {
    /// The room is never without its next piece, or is no longer so.
    public struct Endless: HubRequest {
        public static let kind = RequestKind.genEndless
        public var wish: EndlessWish

        public init(_ wish: EndlessWish) { self.wish = wish }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                EndlessWish(
                    try p.required("on", p.bool("on", value?.wish.isOn)),
                    text: try p.text("text", value?.wish.text, bytes: 1...PromptBounds.lineBytes),
                    worker: try p.sourceName("worker", value?.wish.worker),
                    ahead: try p.int("ahead", value?.wish.ahead, in: EndlessWish.aheadRange),
                    follow: try p.choice("follow", value?.wish.follow)))
        }

        package var request: Request { .composing(.endless(wish)) }
    }

    /// Has another piece made from the plan of one.
    public struct Vary: HubRequest {
        public typealias Answer = StartedJob

        public static let kind = RequestKind.genVary
        public static let usualAmount = 50
        /// `nil` is what is current.
        public var uri: ItemURI?
        public var amount: Int
        public var target: JobStart.Target

        public init(_ uri: ItemURI? = nil, amount: Int = usualAmount, target: JobStart.Target = .end) {
            self.uri = uri
            self.amount = amount
            self.target = target
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.uri("uri", value?.uri), amount: try p.int("amount", value?.amount, in: 0...100, default: usualAmount),
                target: try p.choice("at", value?.target, default: .end))
        }

        package var request: Request { .composing(.vary(uri, amount: amount, target: target)) }
    }
}

extension Commands.SteerNext: HubRequest {
    public typealias Answer = SteeredPiece
    package var request: Request { .composing(.steer(way)) }
}
extension Commands.Again: HubRequest {
    public typealias Answer = StartedJob
    package var request: Request { .composing(.again(recipe, target: target)) }
}
