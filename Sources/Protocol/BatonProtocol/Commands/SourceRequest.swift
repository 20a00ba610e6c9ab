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

/// The texts of which accounts are made, as every sender and reader checks them.
public enum SourceText {
    /// Accounts that one hub has at most.
    public static let most = 16
    public static let urlBytes = 8...1024
    public static let mostOptions = 16
    public static let optionBytes = 256

    /// A lower-case letter, then up to 31 lower-case letters, digits and `-`.
    public static func isName(_ text: String) -> Bool {
        guard 1...32 ~= text.utf8.count, let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return false }
        return text.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "-") }
    }

    /// The same with `_` in the place of `-`.
    public static func isOptionName(_ text: String) -> Bool {
        guard 1...32 ~= text.utf8.count, let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return false }
        return text.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    /// Whether it is `http://` or `https://`, a host, and at most a port and a path. A URL with a user or a password in it would
    /// show them wherever the account is listed.
    public static func isServerURL(_ text: String) -> Bool {
        guard urlBytes ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !#""<>\^`{|}?#"#.utf8.contains($0) }) else {
            return false
        }
        let lowercased = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowercased.hasPrefix($0) }) else { return false }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
        return !authority.isEmpty && !authority.contains("@") && authority.first != ":"
    }
}
