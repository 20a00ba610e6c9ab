/// Commands about accounts at servers.
extension Commands {
    /// Adds an account at a server.
    public struct SourceAdd: HubRequest {
        public static let kind = RequestKind.sourceAdd
        public var source: NewSource

        public init(_ source: NewSource) { self.source = source }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            let source = value?.source
            return Self(
                NewSource(
                    name: try p.required("name", p.sourceName("name", source?.name)),
                    kind: try p.required("kind", p.sourceName("kind", source?.kind)),
                    url: try p.required("url", p.serverURL("url", source?.url)), title: try p.personalName("title", source?.title),
                    login: try p.login(source?.login),
                    options: try p.options("options", source.flatMap { $0.options.isEmpty ? nil : $0.options }) ?? [:]))
        }

        package var request: Request { .sources(.add(source)) }
    }

    /// Changes an account: what is absent stays as it is.
    public struct SourceSet: HubRequest {
        public static let kind = RequestKind.sourceSet
        public var change: SourceChange

        public init(_ change: SourceChange) { self.change = change }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            let change = value?.change
            return Self(
                SourceChange(
                    try p.required("name", p.sourceName("name", change?.name)), title: try p.personalName("title", change?.title),
                    url: try p.serverURL("url", change?.url), login: try p.login(change?.login),
                    options: try p.options("options", change?.options), isEnabled: try p.bool("on", change?.isEnabled)))
        }

        package var request: Request { .sources(.change(change)) }
    }

    /// Asks a server now whether its account can be used, or an account that is not kept yet.
    public struct SourceTest: HubRequest {
        public typealias Answer = SourceTested

        public static let kind = RequestKind.sourceTest
        /// A kept account; without it, the account that the rest describes.
        public var name: String?
        public var kind: String?
        public var url: String?
        public var login: SourceLogin
        public var options: [String: String]

        public init(_ name: String) { self.init(name: name) }

        public init(_ trial: SourceTrial) { self.init(kind: trial.kind, url: trial.url, login: trial.login, options: trial.options) }

        private init(
            name: String? = nil, kind: String? = nil, url: String? = nil, login: SourceLogin = SourceLogin(),
            options: [String: String] = [:]
        ) {
            self.name = name
            self.kind = kind
            self.url = url
            self.login = login
            self.options = options
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                name: try p.sourceName("name", value?.name), kind: try p.sourceName("kind", value?.kind),
                url: try p.serverURL("url", value?.url), login: try p.login(value?.login),
                options: try p.options("options", value.flatMap { $0.options.isEmpty ? nil : $0.options }) ?? [:])
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            if name != nil {
                guard kind == nil, url == nil, login.isEmpty, options.isEmpty else {
                    throw faults.fault("name", "An account is named, or described, and not both.")
                }
            } else {
                guard kind != nil else { throw faults.fault("name", "Name an account, or describe one by its kind and url.") }
                guard url != nil else { throw faults.fault("url", "url must say where the server is.") }
            }
        }

        package var request: Request {
            if let name { return .sources(.test(name)) }
            return .sources(.tryOut(SourceTrial(kind: kind ?? "", url: url ?? "", login: login, options: options)))
        }
    }
}

extension Commands.Sources: HubRequest {
    public typealias Answer = SourceList
    package var request: Request { .sources(.list) }
}
extension Commands.SourceRemove: HubRequest { package var request: Request { .sources(.remove(name)) } }
extension Commands.SourceSync: HubRequest { package var request: Request { .sources(.sync(name, rescan: rescan)) } }
extension Commands.SourcePending: HubRequest {
    public typealias Answer = PendingNotes
    package var request: Request { .sources(.pending(name, isDropped: isDropped)) }
}
