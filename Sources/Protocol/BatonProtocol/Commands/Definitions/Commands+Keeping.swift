public import BatonCore

/// Commands about what is kept on the hub's own disk.
extension Commands {
    /// Keeps an item, or what a rule finds, or no longer.
    public struct KeepSet: HubRequest {
        public static let kind = RequestKind.keepSet
        public var uri: ItemURI?
        public var rule: KeepWish.Rule?
        /// Of the rule `played`: how many tracks.
        public var count: Int?
        public var isOn: Bool

        public init(_ wish: KeepWish, _ isOn: Bool) {
            rule = wish.rule
            if case .item(let uri) = wish { self.uri = uri }
            if case .mostPlayed(let count) = wish { self.count = count }
            self.isOn = isOn
        }

        private init(uri: ItemURI?, rule: KeepWish.Rule?, count: Int?, isOn: Bool) {
            self.uri = uri
            self.rule = rule
            self.count = count
            self.isOn = isOn
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                uri: try p.uri("uri", value?.uri), rule: try p.choice("rule", value?.rule),
                count: try p.int("n", value?.count, in: KeepWish.counts), isOn: try p.required("on", p.bool("on", value?.isOn)))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            if uri == nil, rule == nil { throw faults.fault("uri", "Name an item or a rule.") }
            if uri != nil, rule != nil { throw faults.fault("rule", "Name an item or a rule, not both.") }
            if count != nil, rule != .played { throw faults.fault("n", "n is for the rule “played”.") }
        }

        package var request: Request {
            let wish: KeepWish =
                switch rule {
                case .favourites: .favourites
                case .played: .mostPlayed(count ?? KeepWish.usualCount)
                case nil: .item(uri ?? ItemURI(""))
                }
            return .keeping(.set(wish, isOn))
        }
    }
}

extension Commands.KeepList: HubRequest {
    public typealias Answer = KeptList
    package var request: Request { .keeping(.list) }
}
extension Commands.KeepLimit: HubRequest { package var request: Request { .keeping(.limit(Int64(bytes))) } }
