/// The way to log in, and the next one to try after the server has refused it. A value.
import BatonCore
import BatonSeams

/// The ways to log in, the safest first.
enum Login: String, Equatable, Sendable {
    /// An API key that the server created, sent without the user's name.
    case apiKey
    /// The MD5 hash of password and salt.
    case token
    /// The password in hexadecimal digits, for servers that store passwords only as hashes.
    case plain
}

struct LoginFallback: Sendable {
    private(set) var current: Login
    private let hasPassword: Bool
    private var tried: Set<Login> = []

    /// Starts with the way that the server accepted before, if it is `known` and its secret is there.
    init(_ secrets: SourceSecrets, known: Login?) {
        let hasPassword = secrets.user != nil && secrets.password != nil
        self.hasPassword = hasPassword
        let first: Login = secrets.apiKey != nil ? .apiKey : .token
        let isUsable = known.map { $0 == .apiKey ? secrets.apiKey != nil : hasPassword } ?? false
        current = isUsable ? known ?? first : first
    }

    /// Selects the next way after a login error. Returns false if none is left, or if the error says that the secret
    /// is wrong (40 and 44): another way would only expose it again.
    mutating func goOn(after error: SubsonicError) -> Bool {
        tried.insert(current)
        guard hasPassword, error.refusesMechanism else { return false }
        switch current {
        case .apiKey: current = .token
        case .token: current = .plain
        case .plain: return false
        }
        return !tried.contains(current)
    }
}

extension SubsonicError {
    /// Whether the error is not about the login, so that the login was accepted.
    var isPastLogin: Bool { ![10, 20, 30, 40, 41, 42, 43, 44].contains(code) }
}

extension Login {
    private static let noMD5 = SourceFault(
        .unsupported,
        "Subsonic servers take a password as an MD5 hash, which this machine's OpenSSL does not compute. Log in with an API key.")

    /// The parameters that prove the login.
    func parameters(_ secrets: SourceSecrets, hashedBy md5: MD5, salt: () -> String) throws(SourceFault) -> Parameters {
        switch self {
        case .apiKey: return ["apiKey": secrets.apiKey ?? ""]
        case .token:
            let salt = salt()
            guard let token = md5.hex((secrets.password ?? "") + salt) else { throw Self.noMD5 }
            return ["u": secrets.user ?? "", "t": token, "s": salt]
        case .plain: return ["u": secrets.user ?? "", "p": "enc:" + Hex.text(Array((secrets.password ?? "").utf8))]
        }
    }
}
