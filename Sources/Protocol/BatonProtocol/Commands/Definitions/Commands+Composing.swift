public import BatonCore

/// Commands about music without end, and about other pieces from the plan of one.
extension Commands {
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

extension Commands.Endless: HubRequest {
    public init(_ wish: EndlessWish) {
        self.init(wish.isOn, text: wish.text, worker: wish.worker, ahead: wish.ahead, follow: wish.follow)
    }

    package var request: Request {
        .composing(.endless(EndlessWish(isOn, text: text, worker: worker, ahead: ahead, follow: follow)))
    }
}
