/// Commands about accounts at servers, whose music the hub plays.
public enum SourceRequest: Equatable, Sendable {
    case list
    case add(NewSource)
    case change(SourceChange)
    /// Asks the server now whether the account can be used.
    case test(String)
    /// The same of an account that is not kept.
    case tryOut(SourceTrial)
    case remove(String)
    /// Reads everything that the server has anew; with `rescan`, the server first looks for new music itself.
    case sync(String, rescan: Bool)
    /// What was done here and the server does not know yet; with `isDropped`, it is forgotten.
    case pending(String, isDropped: Bool)
}

/// An account that is added.
public struct NewSource: Equatable, Sendable {
    /// The source's own word, in the URIs of its items.
    public var name: String
    /// Which kind of server it is.
    public var kind: String
    public var url: String
    /// What people read; the name, where there is none.
    public var title: String?
    public var login: SourceLogin
    public var options: [String: String]

    public init(
        name: String, kind: String, url: String, title: String? = nil, login: SourceLogin = SourceLogin(), options: [String: String] = [:]
    ) {
        self.name = name
        self.kind = kind
        self.url = url
        self.title = title
        self.login = login
        self.options = options
    }
}

/// An account that is tested and not kept.
public struct SourceTrial: Equatable, Sendable {
    public var kind: String
    public var url: String
    public var login: SourceLogin
    public var options: [String: String]

    public init(kind: String, url: String, login: SourceLogin = SourceLogin(), options: [String: String] = [:]) {
        self.kind = kind
        self.url = url
        self.login = login
        self.options = options
    }
}

/// What changes of an account. What is absent stays as it is.
public struct SourceChange: Equatable, Sendable {
    public var name: String
    public var title: String?
    public var url: String?
    /// Secrets that it names replace those that are kept, all of them.
    public var login: SourceLogin
    /// Options that it names replace all of those that are kept.
    public var options: [String: String]?
    public var isEnabled: Bool?

    public init(
        _ name: String, title: String? = nil, url: String? = nil, login: SourceLogin = SourceLogin(), options: [String: String]? = nil,
        isEnabled: Bool? = nil
    ) {
        self.name = name
        self.title = title
        self.url = url
        self.login = login
        self.options = options
        self.isEnabled = isEnabled
    }
}
