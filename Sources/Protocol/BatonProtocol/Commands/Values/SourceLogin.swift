/// What a server asks for. It describes itself without its secrets, so that no log and no message of a test shows them.
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
    /// It names more than a code, which belongs to what is kept then.
    package var hasSecrets: Bool { user != nil || password != nil || apiKey != nil }
}

extension SourceLogin: CustomStringConvertible, CustomReflectable {
    public var description: String { isEmpty ? "no login" : "a login" }
    public var customMirror: Swift.Mirror { Swift.Mirror(self, children: []) }
}
