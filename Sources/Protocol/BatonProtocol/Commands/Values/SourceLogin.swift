/// Credentials for a server. Their description contains no secrets, so neither a log nor a test message shows them.
public struct SourceLogin: Equatable, Sendable {
    public var user: String?
    public var password: String?
    public var apiKey: String?
    /// The second factor, for a server that asked for it.
    public var code: String?

    public init(user: String? = nil, password: String? = nil, apiKey: String? = nil, code: String? = nil) {
        self.user = user
        self.password = password
        self.apiKey = apiKey
        self.code = code
    }

    public var isEmpty: Bool { !hasSecrets && code == nil }
    /// True if it contains more than a code; these credentials are stored.
    package var hasSecrets: Bool { user != nil || password != nil || apiKey != nil }
}

extension SourceLogin: CustomStringConvertible, CustomReflectable {
    public var description: String { isEmpty ? "no login" : "a login" }
    public var customMirror: Swift.Mirror { Swift.Mirror(self, children: []) }
}
